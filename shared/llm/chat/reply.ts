import { callId } from '../call-id.ts';
import { isObject, listAt, numberAt, objectAt, stringAt } from '../json-value.ts';
import { chatError, decodeError, MALFORMED } from '../model-error.ts';
import type { ReplyHead } from '../protocol.ts';
import { EMPTY_REPLY, type Reply } from '../reply.ts';
import type { Fields } from '../turn.ts';
import type { ToolCall } from '../turn-event.ts';
import { besideAnswer } from './beside.ts';
import { decodeFinishReason } from './finish-reason.ts';
import { decodeChatUsage, encodeChatUsage } from './usage.ts';
import { chatBase } from './write.ts';

export function decodeChatReply(body: unknown, seed: string): Reply {
  if (!isObject(body)) return { ...EMPTY_REPLY, error: MALFORMED };
  if (body.error) return { ...EMPTY_REPLY, error: decodeError(body) };
  const choice = listAt(body, 'choices').find((one) => (numberAt(one, 'index') ?? 0) === 0);
  if (!choice) return { ...EMPTY_REPLY, error: MALFORMED };
  const message = objectAt(choice, 'message');
  const toolCalls = listAt(message, 'tool_calls').map((call, at) => decodeCall(call, callId(seed, at)));
  return {
    text: stringAt(message, 'content') || stringAt(message, 'refusal') || '',
    thinking: stringAt(message, 'reasoning_content') ?? stringAt(message, 'reasoning') ?? '',
    toolCalls,
    usage: decodeChatUsage(body.usage),
    extra: besideAnswer(body),
    finish: decodeFinishReason(stringAt(choice, 'finish_reason') ?? 'stop', toolCalls.length > 0),
  };
}

function decodeCall(call: Fields, ownId: string): ToolCall {
  const spec = objectAt(call, 'function');
  return {
    id: stringAt(call, 'id') || ownId,
    name: stringAt(spec, 'name') ?? '',
    arguments: stringAt(spec, 'arguments') ?? '',
  };
}

export function encodeChatReply(head: ReplyHead, reply: Reply): Fields {
  if (reply.error) return chatError(reply.error);
  return {
    ...reply.extra,
    ...chatBase(head, 'chat.completion'),
    choices: [{ index: 0, message: encodeMessage(reply), logprobs: null, finish_reason: reply.finish ?? 'stop' }],
    ...(reply.usage && { usage: encodeChatUsage(reply.usage) }),
  };
}

function encodeMessage({ text, thinking, toolCalls }: Reply): Fields {
  const isSilent = text === '' && (thinking !== '' || toolCalls.length > 0);
  return {
    role: 'assistant',
    content: isSilent ? null : text,
    ...(thinking && { reasoning_content: thinking }),
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      })),
    }),
  };
}
