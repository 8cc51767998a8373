import type { Ask, Say, Speak, Speech } from '../completion/speech.ts';
import { asModelError } from '../completion/refusal.ts';
import { newId } from '../ids.ts';
import { encodeChatRequest } from '../llm/chat/encode-request.ts';
import { isObject } from '../llm/json-value.ts';
import { decodeError } from '../llm/model-error.ts';
import { replyEvents } from '../llm/reply.ts';
import type { Fields } from '../llm/turn.ts';
import type { TurnEvent } from '../llm/turn-event.ts';
import { UPSTREAM_FORMATS } from '../llm/upstream-formats.ts';
import type { PluginCall, Runner } from './runner.ts';

export type PipeCall = Pick<PluginCall, 'plugin' | 'actor' | 'facts' | 'voice'> & { readonly modelId: string };

/** A pipe as a model: what it returns or yields is the answer. */
export const speakPipe =
  (runner: Pick<Runner, 'run'>, { modelId, ...call }: PipeCall): Speak =>
  async (ask, signal) => {
    const queue = createQueue();
    const done = runner
      .run({ ...call, method: 'pipe', args: [bodyOf(ask, modelId)], signal, onPart: (part) => queue.push(part) })
      .finally(() => queue.end());
    done.catch(() => {}); // it is heard below, perhaps after somebody has left
    // Whoever fails before the first word refuses the request; later it is an error within the answer.
    if (await queue.isEmptyAtEnd()) await (signal.aborted ? undefined : done);
    return toSpeech(queue, done, signal);
  };

const bodyOf = (ask: Ask, model: string): Fields => ({
  ...encodeChatRequest(ask.turn()),
  model,
  stream: ask.isStreamed,
});

const toSpeech = (queue: Queue, done: Promise<unknown>, signal: AbortSignal): Speech => ({
  async listen(say) {
    const ending = createEnding(say);
    for await (const part of queue.parts()) await ending.say(eventsOf(part));
    if (signal.aborted) return;
    try {
      await ending.say(eventsOf(await done));
      await ending.finish();
    } catch (error) {
      await say([{ type: 'error', error: asModelError(error) }]);
    }
  },
});

/** Text is text; objects are chunks or whole answers of the chat-completions format, anything else is shown as it is. */
function eventsOf(value: unknown): TurnEvent[] {
  if (value === undefined || value === null || value === '') return [];
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (!isObject(value)) return [{ type: 'text', text: JSON.stringify(value) }];
  if (isObject(value.error)) return [{ type: 'error', error: asError(value.error) }];
  if (!Array.isArray(value.choices)) return [{ type: 'text', text: JSON.stringify(value, null, 2) }];
  const isWhole = value.choices.some((choice) => isObject(choice) && isObject(choice.message));
  if (isWhole) return [...replyEvents(UPSTREAM_FORMATS.chat.decodeReply(value, newId()))];
  return [...UPSTREAM_FORMATS.chat.createReader(newId()).push(Buffer.from(`data: ${JSON.stringify(value)}\n\n`))];
}

const asError = ({ message, detail }: Fields) =>
  decodeError({ message: [message, detail].find((text) => typeof text === 'string') ?? 'The pipe failed' }, 502);

/** One end for the whole answer, whatever its parts say. */
function createEnding(say: Say) {
  let end: TurnEvent | undefined;
  const isEnd = ({ type }: TurnEvent) => type === 'finish' || type === 'error';
  return {
    async say(events: readonly TurnEvent[]) {
      end = events.findLast(isEnd) ?? end;
      const rest = events.filter((event) => !isEnd(event));
      if (rest.length > 0) await say(rest);
    },
    finish: async () => say([end ?? { type: 'finish', reason: 'stop' }]),
  };
}

interface Queue {
  /** A promise when there is more than enough to take; whoever goes on nevertheless is not stopped. */
  push(part: unknown): Promise<void> | void;
  end(): void;
  /** Resolves with the first part, or when there will be none. */
  isEmptyAtEnd(): Promise<boolean>;
  parts(): AsyncGenerator<unknown>;
}

const MOST_WAITING = 256;

function createQueue(): Queue {
  const waiting: unknown[] = [];
  let taken = Promise.withResolvers<void>();
  let hasEnded = false;
  let wake = Promise.withResolvers<void>();
  const stir = () => {
    wake.resolve();
    wake = Promise.withResolvers();
  };
  return {
    push(part) {
      waiting.push(part);
      stir();
      return waiting.length > MOST_WAITING ? taken.promise : undefined;
    },
    end() {
      hasEnded = true;
      stir();
    },
    async isEmptyAtEnd() {
      while (waiting.length === 0 && !hasEnded) await wake.promise;
      return waiting.length === 0;
    },
    async *parts() {
      for (;;) {
        const parts = waiting.splice(0);
        taken.resolve();
        taken = Promise.withResolvers();
        yield* parts;
        if (waiting.length > 0) continue;
        if (hasEnded) return;
        await wake.promise;
      }
    },
  };
}
