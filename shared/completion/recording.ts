import { addEvent, EMPTY_REPLY, type Reply } from '../llm/reply.ts';
import { encodeChatUsage } from '../llm/chat/usage.ts';
import type { ModelError } from '../llm/model-error.ts';
import type { Fields } from '../llm/turn.ts';
import type { TurnEvent, Usage } from '../llm/turn-event.ts';
import { workedItems } from './worked-items.ts';

/** Everything a model has said so far, in the shape in which a chat keeps it. */
export interface Recording {
  add(events: readonly TurnEvent[]): void;
  reply(): Reply;
  /** What a checkpoint writes. */
  soFar(): Fields;
  /** What the message says in the end. */
  atEnd(failure?: ModelError): Fields;
}

export function createRecording(messageId: string): Recording {
  let reply = EMPTY_REPLY;
  return {
    add(events) {
      for (const event of events) reply = addEvent(reply, event);
    },
    reply: () => reply,
    soFar: () => ({ content: reply.text, ...besideText(reply), ...outputOf(reply, messageId, 'in_progress') }),
    atEnd(failure) {
      const error = failure ?? reply.error;
      return {
        content: reply.text,
        ...besideText(reply),
        ...outputOf(reply, messageId, 'completed'),
        ...(reply.usage && { usage: storedUsage(reply.usage) }),
        ...(error && { error: { content: error.message } }),
        done: true,
      };
    },
  };
}

/** Of what a server sends beside the answer, a message keeps only what clients know. */
const besideText = ({ extra = {} }: Reply): Fields => ({
  ...(extra.sources !== undefined && { sources: extra.sources }),
  ...(extra.selected_model_id !== undefined && { selectedModelId: extra.selected_model_id }),
});

/** Tokens under both names that clients look for. */
const storedUsage = (usage: Usage): Fields => ({
  ...encodeChatUsage(usage),
  input_tokens: usage.input,
  output_tokens: usage.output,
});

/** Plain text says everything itself; only thinking and calls need the structured form beside it. */
function outputOf(reply: Reply, messageId: string, status: string): { readonly output?: readonly Fields[] } {
  return reply.thinking === '' && reply.toolCalls.length === 0 && !reply.work
    ? {}
    : { output: outputItems(reply, messageId, status) };
}

export function outputItems(reply: Reply, messageId: string, status: string): readonly Fields[] {
  const { thinking, text, toolCalls, work } = reply;
  if (work) return workedItems({ ...reply, work }, messageId, status);
  const said = (value: string) => [{ type: 'output_text', text: value }];
  return [
    ...(thinking ? [{ type: 'reasoning', id: `rs_${messageId}`, status, content: said(thinking), summary: null }] : []),
    ...(text ? [{ type: 'message', id: `msg_${messageId}`, status, role: 'assistant', content: said(text) }] : []),
    ...toolCalls.map(({ id, name, arguments: json }) => ({
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: json,
      status,
    })),
  ];
}
