import { callId } from '../call-id.ts';
import { isObject, numberAt, objectAt, stringAt } from '../json-value.ts';
import { CUT_OFF, decodeError } from '../model-error.ts';
import type { Fields } from '../turn.ts';
import type { TurnEvent } from '../turn-event.ts';
import { decodeStopReason } from './stop-reason.ts';
import { decodeMessagesUsage } from './usage.ts';

/** How far a messages stream has been read. */
export interface MessagesState {
  readonly seed: string;
  readonly calls: number;
  /** The text of the open call's arguments so far; undefined when no call is open. */
  readonly call?: string;
  readonly usage: Fields;
  readonly stop?: { readonly reason: string; readonly sequence?: string };
  readonly over: boolean;
}

type Stepped = readonly [MessagesState, readonly TurnEvent[]];

export const startMessages = (seed: string): MessagesState => ({
  seed,
  calls: 0,
  usage: {},
  over: false,
});

export function stepMessages(state: MessagesState, chunk: unknown): Stepped {
  if (state.over) return [state, []];
  switch (stringAt(chunk, 'type') ?? '') {
    case 'message_start':
      return [{ ...state, usage: objectAt(objectAt(chunk, 'message'), 'usage') }, []];
    case 'content_block_start':
      return startBlock(state, objectAt(chunk, 'content_block'));
    case 'content_block_delta':
      return stepDelta(state, objectAt(chunk, 'delta'));
    case 'content_block_stop':
      return endBlock(state);
    case 'message_delta':
      return [stopping(state, chunk), []];
    case 'message_stop':
      return [{ ...state, over: true }, finished(state)];
    case 'error':
      return [{ ...state, over: true }, [{ type: 'error', error: decodeError(chunk) }]];
    default:
      return [state, []];
  }
}

export function endMessages(state: MessagesState): readonly TurnEvent[] {
  if (state.over) return [];
  return state.stop ? finished(state) : [{ type: 'error', error: CUT_OFF }];
}

function startBlock(state: MessagesState, block: Fields): Stepped {
  const text = stringAt(block, 'text');
  if (block.type === 'text') return [state, text ? [{ type: 'text', text }] : []];
  const thinking = stringAt(block, 'thinking');
  if (block.type === 'thinking') return [state, thinking ? [{ type: 'thinking', text: thinking }] : []];
  if (block.type !== 'tool_use') return [state, []];
  const index = state.calls;
  const id = stringAt(block, 'id') || callId(state.seed, index);
  const start: TurnEvent = { type: 'tool_start', index, id, name: stringAt(block, 'name') ?? '' };
  const input = isObject(block.input) && Object.keys(block.input).length > 0 ? JSON.stringify(block.input) : '';
  const given: TurnEvent[] = input ? [{ type: 'tool_delta', index, arguments: input }] : [];
  return [{ ...state, calls: index + 1, call: input }, [start, ...given]];
}

/** A call without arguments reads as one with none, as it does in a reply that is not streamed. */
function endBlock(state: MessagesState): Stepped {
  if (state.call === undefined) return [state, []];
  const index = state.calls - 1;
  const none: TurnEvent[] = state.call === '' ? [{ type: 'tool_delta', index, arguments: '{}' }] : [];
  return [{ ...state, call: undefined }, [...none, { type: 'tool_end', index }]];
}

function stepDelta(state: MessagesState, delta: Fields): Stepped {
  switch (delta.type) {
    case 'text_delta':
      return [state, [{ type: 'text', text: stringAt(delta, 'text') ?? '' }]];
    case 'thinking_delta':
      return [state, [{ type: 'thinking', text: stringAt(delta, 'thinking') ?? '' }]];
    case 'signature_delta':
      return [state, [{ type: 'thinking', text: '', signature: stringAt(delta, 'signature') }]];
    case 'input_json_delta': {
      const piece = stringAt(delta, 'partial_json');
      if (!piece || state.call === undefined) return [state, []];
      const event: TurnEvent = { type: 'tool_delta', index: state.calls - 1, arguments: piece };
      return [{ ...state, call: state.call + piece }, [event]];
    }
    default:
      return [state, []];
  }
}

/** Counts of the last frame are totals that replace those of the first. */
function stopping(state: MessagesState, chunk: unknown): MessagesState {
  const delta = objectAt(chunk, 'delta');
  const reason = stringAt(delta, 'stop_reason');
  const counted = Object.entries(objectAt(chunk, 'usage')).filter(([, count]) => count !== null);
  const usage = { ...state.usage, ...Object.fromEntries(counted) };
  return { ...state, usage, ...(reason && { stop: { reason, sequence: stringAt(delta, 'stop_sequence') } }) };
}

function finished({ stop, usage, calls }: MessagesState): readonly TurnEvent[] {
  const counted = numberAt(usage, 'output_tokens') === undefined ? undefined : decodeMessagesUsage(usage);
  const reason = decodeStopReason(stop?.reason ?? (calls > 0 ? 'tool_use' : 'end_turn'));
  return [
    ...(counted ? [{ type: 'usage' as const, usage: counted }] : []),
    { type: 'finish', reason, stopSequence: stop?.sequence },
  ];
}
