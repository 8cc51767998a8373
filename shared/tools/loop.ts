import type { Ask, Say, Speak, Speech } from '../completion/speech.ts';
import { asModelError } from '../completion/refusal.ts';
import { AppError } from '../errors.ts';
import { collect, EMPTY_REPLY, type Reply } from '../llm/reply.ts';
import type { FunctionTool, ImagePart, Message, Turn } from '../llm/turn.ts';
import type { TurnEvent, Usage } from '../llm/turn-event.ts';
import { carryOut, type Called } from './call.ts';
import type { Toolbox } from './toolbox.ts';

export interface LoopParts {
  readonly openToolbox: () => Promise<Toolbox>;
  readonly maxRounds: number;
  /** Hears of each round before it begins and after it. */
  readonly onRound: (calls: readonly { readonly name: string }[]) => Promise<void>;
  /** What the caller is told of the results, besides what the model makes of them. */
  readonly onResults: (results: readonly Called[]) => Promise<readonly TurnEvent[]>;
}

/** A model with tools: it is asked again with the results of its calls until it has none. */
export const withToolLoop =
  (speak: Speak, parts: LoopParts): Speak =>
  async (ask, signal) => {
    const toolbox = await parts.openToolbox();
    try {
      const first = withTools(ask, toolbox);
      const speech = await speak(first, signal);
      return { listen: (say) => follow({ speak, parts, toolbox, signal }, { ask: first, speech }, say) };
    } catch (error) {
      await toolbox.close();
      throw error;
    }
  };

interface Loop {
  readonly speak: Speak;
  readonly parts: LoopParts;
  readonly toolbox: Toolbox;
  readonly signal: AbortSignal;
}

interface Round {
  readonly ask: Ask;
  readonly speech: Speech;
}

async function follow(loop: Loop, first: Round, say: Say): Promise<void> {
  const { speak, parts, signal } = loop;
  let round = first;
  let usage: Usage | undefined;
  try {
    for (let count = 0; ; count += 1) {
      const reply = await hearRound(round.speech, say);
      usage = addUsage(usage, reply.usage);
      if (signal.aborted || reply.error || reply.toolCalls.length === 0) return await say(endOf(reply, usage));
      if (count === parts.maxRounds)
        throw new AppError('upstream_failed', `The model used tools more than ${count} times`);
      const ask = await answerCalls(loop, round.ask, { reply, say });
      round = { ask, speech: await speak(ask, signal) };
    }
  } catch (error) {
    if (!signal.aborted) await say([{ type: 'error', error: asModelError(error) }]);
  } finally {
    await loop.toolbox.close();
  }
}

/** Text goes on as it comes; calls are ours to carry out, and the end is not the end of the answer. */
async function hearRound(speech: Speech, say: Say): Promise<Reply> {
  let reply = EMPTY_REPLY;
  await speech.listen(async (events) => {
    reply = collect(events, reply);
    const shown = events.filter(({ type }) => type === 'text' || type === 'thinking' || type === 'extra');
    if (shown.length > 0) await say(shown);
  });
  return reply;
}

const endOf = ({ error, finish, stopSequence }: Reply, usage: Usage | undefined): TurnEvent[] => [
  ...(usage ? [{ type: 'usage' as const, usage }] : []),
  ...(error ? [{ type: 'error' as const, error }] : []),
  ...(finish && !error ? [{ type: 'finish' as const, reason: finish, stopSequence }] : []),
];

/** A caller pays for all rounds. */
function addUsage(sum: Usage | undefined, usage: Usage | undefined): Usage | undefined {
  if (!sum || !usage) return sum ?? usage;
  return { ...usage, input: sum.input + usage.input, output: sum.output + usage.output };
}

interface Heard {
  readonly reply: Reply;
  readonly say: Say;
}

/** All calls of a round at the same time; the next question holds them and their results in the model's own order. */
async function answerCalls({ parts, toolbox, signal }: Loop, ask: Ask, { reply, say }: Heard): Promise<Ask> {
  await parts.onRound(reply.toolCalls);
  const results = await Promise.all(reply.toolCalls.map((call) => carryOut(call, toolbox.tools, signal)));
  const told = await parts.onResults(results);
  if (told.length > 0) await say(told);
  const turn = ask.turn();
  const messages = [...turn.messages, calling(reply), ...results.map(resulting), ...picturing(results)];
  // A model that was told to call something would call it for ever.
  const next: Turn = { ...turn, messages, toolChoice: turn.toolChoice === 'none' ? 'none' : undefined };
  return { turn: () => next, isStreamed: ask.isStreamed };
}

const calling = ({ text, thinking, signature, toolCalls }: Reply): Message => ({
  role: 'assistant',
  parts: [
    ...(thinking ? [{ type: 'thinking' as const, text: thinking, signature }] : []),
    ...(text ? [{ type: 'text' as const, text }] : []),
    ...toolCalls.map((call) => ({ type: 'tool_call' as const, ...call })),
  ],
});

const resulting = ({ call, result }: Called): Message => ({
  role: 'tool',
  parts: [
    { type: 'tool_result', id: call.id, content: [{ type: 'text', text: result.text }], isError: result.isError },
  ],
});

/** Most formats take pictures from people only. */
function picturing(results: readonly Called[]): Message[] {
  const images = results.flatMap(({ result }) => result.images ?? []);
  const parts = images.map((url): ImagePart => ({ type: 'image', url }));
  return parts.length === 0 ? [] : [{ role: 'user', parts }];
}

function withTools(ask: Ask, { tools }: Toolbox): Ask {
  const turn = ask.turn();
  const specs = [...tools].map(([name, { description, parameters }]): FunctionTool => ({
    type: 'function',
    name,
    description,
    parameters,
  }));
  const equipped: Turn = { ...turn, tools: [...turn.tools, ...specs] };
  return { turn: () => equipped, isStreamed: ask.isStreamed };
}
