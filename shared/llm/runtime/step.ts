import { callId } from '../call-id.ts';
import { isObject, listAt, objectAt, stringAt } from '../json-value.ts';
import { CUT_OFF, decodeError, MALFORMED } from '../model-error.ts';
import { collect, type Reply } from '../reply.ts';
import type { Fields } from '../turn.ts';
import type { FinishReason, TurnEvent } from '../turn-event.ts';
import { decodeRuntimeUsage } from './usage.ts';

/** How far a runtime stream has been read. */
export interface RuntimeState {
  readonly seed: string;
  readonly calls: number;
  readonly over: boolean;
}

type Stepped = readonly [RuntimeState, readonly TurnEvent[]];

export const startRuntime = (seed: string): RuntimeState => ({ seed, calls: 0, over: false });

/** One line of the runtime's chat or generate stream; the latter says `response` where the former has a message. */
export function stepRuntime(state: RuntimeState, chunk: unknown): Stepped {
  if (state.over) return [state, []];
  if (!isObject(chunk)) return [{ ...state, over: true }, [{ type: 'error', error: MALFORMED }]];
  if (chunk.error) return [{ ...state, over: true }, [{ type: 'error', error: decodeError(chunk) }]];
  const message = isObject(chunk.message) ? chunk.message : { ...chunk, content: chunk.response };
  const called = listAt(message, 'tool_calls');
  const calls = state.calls + called.length;
  const events = [...spoken(message), ...called.flatMap((call, at) => decodeCall(call, state.calls + at, state.seed))];
  if (chunk.done !== true) return [{ ...state, calls }, events];
  return [{ ...state, calls, over: true }, [...events, ...finished(chunk, calls)]];
}

export const endRuntime = (state: RuntimeState): readonly TurnEvent[] =>
  state.over ? [] : [{ type: 'error', error: CUT_OFF }];

/** A reply that was not streamed is the only line of its stream. */
export function decodeRuntimeReply(body: unknown, seed: string): Reply {
  const [state, events] = stepRuntime(startRuntime(seed), body);
  return collect([...events, ...endRuntime(state)]);
}

function* spoken(message: Fields): Generator<TurnEvent> {
  const thinking = stringAt(message, 'thinking');
  if (thinking) yield { type: 'thinking', text: thinking };
  const text = stringAt(message, 'content');
  if (text) yield { type: 'text', text };
}

function decodeCall(call: Fields, index: number, seed: string): TurnEvent[] {
  const spec = objectAt(call, 'function');
  const id = stringAt(call, 'id') || callId(seed, index);
  return [
    { type: 'tool_start', index, id, name: stringAt(spec, 'name') ?? '' },
    { type: 'tool_delta', index, arguments: JSON.stringify(objectAt(spec, 'arguments')) },
    { type: 'tool_end', index },
  ];
}

function finished(chunk: Fields, calls: number): TurnEvent[] {
  const reason: FinishReason = chunk.done_reason === 'length' ? 'length' : calls > 0 ? 'tool_calls' : 'stop';
  return [
    { type: 'usage', usage: decodeRuntimeUsage(chunk) },
    { type: 'finish', reason },
  ];
}
