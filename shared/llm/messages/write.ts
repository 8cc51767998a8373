import { messagesError } from '../model-error.ts';
import type { ReplyHead } from '../protocol.ts';
import type { Fields } from '../turn.ts';
import type { TurnEvent, Usage } from '../turn-event.ts';
import { encodeStopReason } from './stop-reason.ts';
import { encodeMessagesUsage } from './usage.ts';

/** How far a messages stream has been written. */
export interface MessagesWriting {
  readonly head: ReplyHead;
  readonly isOpen: boolean;
  /** The kind of content block that is open, and the index of the next one. */
  readonly block?: 'text' | 'thinking' | 'tool';
  readonly next: number;
  readonly hasCalled: boolean;
  readonly usage?: Usage;
}

type Written = readonly [MessagesWriting, string];

export const openMessages = (head: ReplyHead): MessagesWriting => ({ head, isOpen: false, next: 0, hasCalled: false });

export function writeMessages(state: MessagesWriting, event: TurnEvent): Written {
  if (event.type === 'error') return [state, frame(messagesError(event.error))];
  if (event.type === 'usage') return [{ ...state, usage: event.usage }, ''];
  if (event.type === 'extra' || event.type === 'tool_run') return [state, ''];
  if (state.isOpen) return said(state, event);
  const [next, frames] = said({ ...state, isOpen: true }, event);
  return [next, frame({ type: 'message_start', message: startMessage(state.head) }) + frames];
}

const startMessage = (head: ReplyHead) => ({
  ...messagesBase(head),
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: head.inputTokens ?? 0, output_tokens: 0 },
});

/** What follows the first tool call is left out: clients send the blocks back, and calls must come last there. */
function said(
  state: MessagesWriting,
  event: Exclude<TurnEvent, { type: 'error' | 'usage' | 'extra' | 'tool_run' }>,
): Written {
  switch (event.type) {
    case 'text':
      return state.hasCalled || event.text === '' ? [state, ''] : writeText(state, event.text);
    case 'thinking':
      return state.hasCalled || !(event.text || event.signature) ? [state, ''] : writeThinking(state, event);
    case 'tool_start': {
      const block = { type: 'tool_use', id: event.id, name: event.name, input: {} };
      const [next, frames] = openBlock(state, 'tool', block);
      return [{ ...next, hasCalled: true }, frames];
    }
    case 'tool_delta':
      return [state, delta(state, { type: 'input_json_delta', partial_json: event.arguments })];
    case 'tool_end':
      return closeBlock(state);
    case 'finish': {
      const [closed, frames] = closeBlock(state);
      const stop = {
        stop_reason: encodeStopReason(event.reason, event.stopSequence),
        stop_sequence: event.stopSequence ?? null,
      };
      const last = frame({ type: 'message_delta', delta: stop, usage: encodeMessagesUsage(state.usage) });
      return [closed, frames + last + frame({ type: 'message_stop' })];
    }
  }
}

function writeText(state: MessagesWriting, text: string): Written {
  const [next, frames] = state.block === 'text' ? [state, ''] : openBlock(state, 'text', { type: 'text', text: '' });
  return [next, frames + delta(next, { type: 'text_delta', text })];
}

function writeThinking(state: MessagesWriting, event: { text: string; signature?: string }): Written {
  const block = { type: 'thinking', thinking: '', signature: '' };
  const [next, frames] = state.block === 'thinking' ? [state, ''] : openBlock(state, 'thinking', block);
  const text = event.text ? delta(next, { type: 'thinking_delta', thinking: event.text }) : '';
  const sealed = event.signature ? delta(next, { type: 'signature_delta', signature: event.signature }) : '';
  return [next, frames + text + sealed];
}

function openBlock(state: MessagesWriting, kind: 'text' | 'thinking' | 'tool', block: Fields): Written {
  const [closed, frames] = closeBlock(state);
  const start = frame({ type: 'content_block_start', index: closed.next, content_block: block });
  return [{ ...closed, block: kind, next: closed.next + 1 }, frames + start];
}

const closeBlock = (state: MessagesWriting): Written =>
  state.block
    ? [{ ...state, block: undefined }, frame({ type: 'content_block_stop', index: state.next - 1 })]
    : [state, ''];

const delta = ({ next }: MessagesWriting, content: Fields) =>
  frame({ type: 'content_block_delta', index: next - 1, delta: content });

const frame = (value: Fields & { readonly type: string }) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;

export const messagesBase = ({ id, model }: ReplyHead) => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  model,
});
