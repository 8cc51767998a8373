import { runtimeError } from '../model-error.ts';
import type { ReplyHead } from '../protocol.ts';
import type { Reply } from '../reply.ts';
import { parseArguments } from '../tool-arguments.ts';
import type { Fields } from '../turn.ts';
import type { FinishReason, ToolCall, TurnEvent, Usage } from '../turn-event.ts';
import { encodeRuntimeUsage } from './usage.ts';

/** The two shapes of the runtime's answers. */
export type RuntimeKind = 'chat' | 'generate';

/** How far a runtime stream has been written. */
export interface RuntimeWriting {
  readonly kind: RuntimeKind;
  readonly base: Fields;
  readonly call?: ToolCall;
  readonly usage?: Usage;
}

type Written = readonly [RuntimeWriting, string];

export const openRuntime =
  (kind: RuntimeKind) =>
  (head: ReplyHead): RuntimeWriting => ({ kind, base: runtimeBase(head) });

/** Calls have to be whole here, so their pieces wait for the end. */
export function writeRuntime(state: RuntimeWriting, event: TurnEvent): Written {
  switch (event.type) {
    case 'text':
      return [state, event.text ? line(state, { content: event.text }) : ''];
    case 'thinking':
      return [state, event.text ? line(state, { content: '', thinking: event.text }) : ''];
    case 'tool_start':
      return [{ ...state, call: { id: event.id, name: event.name, arguments: '' } }, ''];
    case 'tool_delta':
      return [
        { ...state, call: state.call && { ...state.call, arguments: state.call.arguments + event.arguments } },
        '',
      ];
    case 'tool_end':
      return [
        { ...state, call: undefined },
        state.call ? line(state, { content: '', tool_calls: [encodeCall(state.call)] }) : '',
      ];
    case 'usage':
      return [{ ...state, usage: event.usage }, ''];
    case 'extra':
    case 'tool_run':
      return [state, ''];
    case 'finish':
      return [state, line(state, { content: '' }, doneFields(event.reason, state.usage))];
    case 'error':
      return [state, `${JSON.stringify(runtimeError(event.error))}\n`];
  }
}

export const encodeRuntimeReply =
  (kind: RuntimeKind) =>
  (head: ReplyHead, reply: Reply): Fields => {
    if (reply.error) return runtimeError(reply.error);
    const said = {
      content: reply.text,
      ...(reply.thinking && { thinking: reply.thinking }),
      ...(reply.toolCalls.length > 0 && { tool_calls: reply.toolCalls.map(encodeCall) }),
    };
    return { ...runtimeBase(head), ...spoken(kind, said), ...doneFields(reply.finish, reply.usage) };
  };

const line = ({ kind, base }: RuntimeWriting, said: Fields, done: Fields = { done: false }) =>
  `${JSON.stringify({ ...base, ...spoken(kind, said), ...done })}\n`;

function spoken(kind: RuntimeKind, { content, thinking, tool_calls: calls }: Fields): Fields {
  const thought = thinking === undefined ? {} : { thinking };
  if (kind === 'generate') return { response: content, ...thought };
  return { message: { role: 'assistant', content, ...thought, ...(calls ? { tool_calls: calls } : {}) } };
}

const doneFields = (reason: FinishReason = 'stop', usage?: Usage): Fields => ({
  done: true,
  done_reason: reason === 'length' ? 'length' : 'stop',
  ...(usage && encodeRuntimeUsage(usage)),
});

const encodeCall = ({ id, name, arguments: text }: ToolCall) => ({
  id,
  function: { name, arguments: parseArguments(text) },
});

const runtimeBase = ({ model, created }: ReplyHead) => ({
  model,
  created_at: new Date(created * 1000).toISOString(),
});
