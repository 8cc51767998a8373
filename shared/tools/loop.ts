import type { Ask, Say, Speak, Speech } from '../completion/speech.ts';
import { asModelError } from '../completion/refusal.ts';
import { AppError } from '../errors.ts';
import { collect, EMPTY_REPLY, type Reply } from '../llm/reply.ts';
import type { FunctionTool, Turn } from '../llm/turn.ts';
import type { TurnEvent, Usage } from '../llm/turn-event.ts';
import { addUsage } from './add-usage.ts';
import { carryOut } from './call.ts';
import { nextMessages } from './next-messages.ts';
import { createRoundBreak, type RoundBreak } from './round-break.ts';
import type { Telling } from './telling.ts';
import type { Toolbox } from './toolbox.ts';

export interface LoopParts {
  readonly openToolbox: () => Promise<Toolbox>;
  readonly maxRounds: number;
  readonly telling: Telling;
  /** Whether the model can look at pictures that tools bring. */
  readonly seesImages: boolean;
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
  const roundBreak = createRoundBreak();
  let round = first;
  let usage: Usage | undefined;
  try {
    for (let count = 0; ; count += 1) {
      const reply = await hearRound(round.speech, say, roundBreak);
      usage = addUsage(usage, reply.usage);
      if (signal.aborted || reply.error || reply.toolCalls.length === 0) return await say(endOf(reply, usage));
      if (count === parts.maxRounds)
        throw new AppError('upstream_failed', `The model used tools more than ${count} times`);
      const ask = await answerCalls(loop, round.ask, { reply, say });
      if (!ask) return await say(endOf(reply, usage));
      round = { ask, speech: await speak(ask, signal) };
    }
  } catch (error) {
    if (!signal.aborted) await say([...usageOf(usage), { type: 'error', error: asModelError(error) }]);
  } finally {
    await loop.toolbox.close();
  }
}

/** Text goes on as it comes; calls are ours to carry out, and the end is not the end of the answer. */
async function hearRound(speech: Speech, say: Say, roundBreak: RoundBreak): Promise<Reply> {
  let reply = EMPTY_REPLY;
  await speech.listen(async (events) => {
    reply = collect(events, reply);
    const shown = events.filter(({ type }) => type === 'text' || type === 'thinking' || type === 'extra');
    if (shown.length > 0) await say(roundBreak.before(shown));
  });
  roundBreak.next();
  return reply;
}

const usageOf = (usage: Usage | undefined): TurnEvent[] => (usage ? [{ type: 'usage', usage }] : []);

/** A reply that was stopped while tools ran has asked for them, but not ended with that. */
const endOf = ({ error, finish, stopSequence, toolCalls }: Reply, usage: Usage | undefined): TurnEvent[] => [
  ...usageOf(usage),
  ...(error ? [{ type: 'error' as const, error }] : []),
  ...(finish && !error && toolCalls.length === 0 ? [{ type: 'finish' as const, reason: finish, stopSequence }] : []),
];

interface Heard {
  readonly reply: Reply;
  readonly say: Say;
}

/** All calls of a round at the same time; the next question holds them and their results in the model's own order. */
async function answerCalls(loop: Loop, ask: Ask, { reply, say }: Heard): Promise<Ask | undefined> {
  const { parts, toolbox, signal } = loop;
  const names = reply.toolCalls.map(({ name }) => name);
  await say(reply.toolCalls.map((call) => ({ type: 'tool_run', call })));
  await parts.telling.onRound(names);
  const called = await Promise.all(reply.toolCalls.map((call) => carryOut(call, toolbox.tools, signal)));
  if (signal.aborted) {
    await parts.telling.onStopped(names);
    return undefined;
  }
  const { results, events } = await parts.telling.onResults(called);
  const outcomes = results.map(({ call, result: { text, isError } }): TurnEvent => ({
    type: 'tool_run',
    call,
    result: { text, isError },
  }));
  await say([...outcomes, ...events]);
  const turn = ask.turn();
  const messages = [...turn.messages, ...nextMessages(reply, results, parts.seesImages)];
  // A model that was told to call something would call it for ever.
  const next: Turn = { ...turn, messages, toolChoice: turn.toolChoice === 'none' ? 'none' : undefined };
  return { turn: () => next, isStreamed: ask.isStreamed };
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
