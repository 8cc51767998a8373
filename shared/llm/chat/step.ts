import { isObject, listAt, numberAt, objectAt, stringAt } from '../json-value.ts';
import { CUT_OFF, decodeError } from '../model-error.ts';
import type { Fields } from '../turn.ts';
import type { FinishReason, TurnEvent } from '../turn-event.ts';
import { besideAnswer } from './beside.ts';
import { decodeFinishReason } from './finish-reason.ts';
import { addPiece, flushCalls, hasOpenCall, NO_CALLS, type Calls } from './tool-calls.ts';
import { decodeChatUsage } from './usage.ts';

/** How far a chat-completions stream has been read. */
export interface ChatState {
  readonly seed: string;
  readonly calls: Calls;
  /** Words that came inside a tool call and wait for its end. */
  readonly late: readonly TurnEvent[];
  readonly finish?: FinishReason;
  readonly over: boolean;
}

type Stepped = readonly [ChatState, readonly TurnEvent[]];

export const startChat = (seed: string): ChatState => ({ seed, calls: NO_CALLS, late: [], over: false });

/** One chunk of the stream; the finish waits for `[DONE]`, because usage comes after the finish reason. */
export function stepChat(state: ChatState, chunk: unknown): Stepped {
  if (state.over) return [state, []];
  if (chunk === '[DONE]') return [{ ...state, over: true }, finished(state)];
  if (!isObject(chunk)) return [state, []];
  if (chunk.error) return [{ ...state, over: true }, [{ type: 'error', error: decodeError(chunk) }]];
  const usage = decodeChatUsage(chunk.usage);
  const choice = listAt(chunk, 'choices').find((one) => (numberAt(one, 'index') ?? 0) === 0);
  const [next, events] = choice ? stepChoice(state, choice) : [state, aside(chunk)];
  return [next, usage ? [...events, { type: 'usage', usage }] : events];
}

/** A chunk that carries this text and nothing else. */
export function stepText(state: ChatState, text: string): Stepped {
  if (state.over || text === '') return [state, []];
  const event: TurnEvent = { type: 'text', text };
  return hasOpenCall(state.calls) ? [{ ...state, late: [...state.late, event] }, []] : [state, [event]];
}

export function endChat(state: ChatState): readonly TurnEvent[] {
  if (state.over) return [];
  return state.finish ? finished(state) : [{ type: 'error', error: CUT_OFF }];
}

function finished(state: ChatState): readonly TurnEvent[] {
  const [, events] = flushCalls(state.calls);
  const reason = state.finish ?? decodeFinishReason('stop', state.calls.length > 0);
  return [...events, ...state.late, { type: 'finish', reason }];
}

function stepChoice(state: ChatState, choice: Fields): Stepped {
  const delta = objectAt(choice, 'delta');
  const said = stringAt(choice, 'finish_reason');
  const words = [...spoken(delta)];
  const isInside = hasOpenCall(state.calls);
  const [added, called] = addPieces(state, listAt(delta, 'tool_calls'));
  const [calls, flushed] = said ? flushCalls(added) : [added, []];
  const late = isInside ? [...state.late, ...words] : state.late;
  const events = [...(isInside ? [] : words), ...called, ...flushed];
  const next = { ...state, calls, ...(said && { finish: decodeFinishReason(said, calls.length > 0) }) };
  return hasOpenCall(calls) ? [{ ...next, late }, events] : [{ ...next, late: [] }, [...events, ...late]];
}

function addPieces({ calls, seed }: ChatState, pieces: readonly Fields[]): readonly [Calls, readonly TurnEvent[]] {
  const events: TurnEvent[] = [];
  for (const piece of pieces) {
    const [next, more] = addPiece(calls, piece, seed);
    calls = next;
    events.push(...more);
  }
  return [calls, events];
}

function* spoken(delta: unknown): Generator<TurnEvent> {
  const thinking = stringAt(delta, 'reasoning_content') ?? stringAt(delta, 'reasoning');
  if (thinking) yield { type: 'thinking', text: thinking };
  const text = stringAt(delta, 'content') || stringAt(delta, 'refusal');
  if (text) yield { type: 'text', text };
}

/** A frame without a choice carries something beside the answer. */
function aside(chunk: Fields): TurnEvent[] {
  const fields = besideAnswer(chunk);
  return fields ? [{ type: 'extra', fields }] : [];
}
