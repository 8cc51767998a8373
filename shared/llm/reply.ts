import type { ModelError } from './model-error.ts';
import type { Fields } from './turn.ts';
import type { FinishReason, ToolCall, ToolOutcome, TurnEvent, Usage } from './turn-event.ts';

/** A whole answer: what a stream adds up to, and what a reply without a stream says at once. */
export interface Reply {
  readonly text: string;
  readonly thinking: string;
  readonly signature?: string;
  readonly toolCalls: readonly ToolCall[];
  /** Tools that the gateway ran on the way, in the order of events. */
  readonly work?: readonly Work[];
  readonly usage?: Usage;
  readonly extra?: Fields;
  /** Absent while the answer is still coming and when it failed. */
  readonly finish?: FinishReason;
  readonly stopSequence?: string;
  readonly error?: ModelError;
}

/** A call with as much as had been said before it, or the outcome of an earlier one. */
export type Work =
  | { readonly type: 'call'; readonly call: ToolCall; readonly textBefore: number; readonly thinkingBefore: number }
  | { readonly type: 'outcome'; readonly call: ToolCall; readonly result: ToolOutcome };

export const EMPTY_REPLY: Reply = { text: '', thinking: '', toolCalls: [] };

export const collect = (events: Iterable<TurnEvent>, reply: Reply = EMPTY_REPLY): Reply => {
  for (const event of events) reply = addEvent(reply, event);
  return reply;
};

export function addEvent(reply: Reply, event: TurnEvent): Reply {
  switch (event.type) {
    case 'text':
      return { ...reply, text: reply.text + event.text };
    case 'thinking':
      return { ...reply, thinking: reply.thinking + event.text, signature: event.signature ?? reply.signature };
    case 'tool_start':
      return { ...reply, toolCalls: [...reply.toolCalls, { id: event.id, name: event.name, arguments: '' }] };
    case 'tool_delta':
      return { ...reply, toolCalls: reply.toolCalls.map(appendTo(event.index, event.arguments)) };
    case 'tool_end':
      return reply;
    case 'usage':
      return { ...reply, usage: event.usage };
    case 'extra':
      return { ...reply, extra: { ...reply.extra, ...event.fields } };
    case 'tool_run':
      return { ...reply, work: [...(reply.work ?? []), workOf(reply, event)] };
    case 'finish':
      return { ...reply, finish: event.reason, stopSequence: event.stopSequence };
    case 'error':
      return { ...reply, error: event.error };
  }
}

const workOf = ({ text, thinking }: Reply, { call, result }: Extract<TurnEvent, { type: 'tool_run' }>): Work =>
  result
    ? { type: 'outcome', call, result }
    : { type: 'call', call, textBefore: text.length, thinkingBefore: thinking.length };

const appendTo = (index: number, piece: string) => (call: ToolCall, at: number) =>
  at === index ? { ...call, arguments: call.arguments + piece } : call;

/** The stream a whole answer could have come from: for callers who asked for a stream of something that has none. */
export function* replyEvents(reply: Reply): Generator<TurnEvent> {
  if (reply.extra) yield { type: 'extra', fields: reply.extra };
  if (reply.thinking || reply.signature) {
    yield { type: 'thinking', text: reply.thinking, signature: reply.signature };
  }
  if (reply.text) yield { type: 'text', text: reply.text };
  for (const [index, call] of reply.toolCalls.entries()) {
    yield { type: 'tool_start', index, id: call.id, name: call.name };
    if (call.arguments) yield { type: 'tool_delta', index, arguments: call.arguments };
    yield { type: 'tool_end', index };
  }
  if (reply.usage) yield { type: 'usage', usage: reply.usage };
  if (reply.error) yield { type: 'error', error: reply.error };
  else yield { type: 'finish', reason: reply.finish ?? 'stop', stopSequence: reply.stopSequence };
}
