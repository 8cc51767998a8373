import { callId } from '../call-id.ts';
import { isObject, listAt, objectAt, stringAt } from '../json-value.ts';
import { decodeError, MALFORMED, messagesError } from '../model-error.ts';
import type { ReplyHead } from '../protocol.ts';
import { EMPTY_REPLY, type Reply } from '../reply.ts';
import { parseArguments } from '../tool-arguments.ts';
import type { Fields } from '../turn.ts';
import { decodeStopReason, encodeStopReason } from './stop-reason.ts';
import { decodeMessagesUsage, encodeMessagesUsage } from './usage.ts';
import { messagesBase } from './write.ts';

export function decodeMessagesReply(body: unknown, seed: string): Reply {
  if (!isObject(body)) return { ...EMPTY_REPLY, error: MALFORMED };
  if (body.type === 'error') return { ...EMPTY_REPLY, error: decodeError(body) };
  if (!Array.isArray(body.content)) return { ...EMPTY_REPLY, error: MALFORMED };
  const blocks = listAt(body, 'content');
  const joined = (type: string) =>
    blocks.flatMap((block) => (block.type === type ? [stringAt(block, type) ?? ''] : [])).join('');
  const calls = blocks.filter(({ type }) => type === 'tool_use');
  return {
    text: joined('text'),
    thinking: joined('thinking'),
    signature: blocks.map((block) => stringAt(block, 'signature')).findLast(Boolean),
    toolCalls: calls.map((call, at) => ({
      id: stringAt(call, 'id') || callId(seed, at),
      name: stringAt(call, 'name') ?? '',
      arguments: JSON.stringify(objectAt(call, 'input')),
    })),
    usage: decodeMessagesUsage(body.usage),
    finish: decodeStopReason(stringAt(body, 'stop_reason') ?? (calls.length > 0 ? 'tool_use' : 'end_turn')),
    stopSequence: stringAt(body, 'stop_sequence'),
  };
}

export function encodeMessagesReply(head: ReplyHead, reply: Reply): Fields {
  if (reply.error) return messagesError(reply.error);
  return {
    ...messagesBase(head),
    content: [...encodeBlocks(reply)],
    stop_reason: encodeStopReason(reply.finish, reply.stopSequence),
    stop_sequence: reply.stopSequence ?? null,
    usage: encodeMessagesUsage(reply.usage),
  };
}

function* encodeBlocks({ thinking, signature, text, toolCalls }: Reply): Generator<Fields> {
  if (thinking || signature) yield { type: 'thinking', thinking, signature: signature ?? '' };
  if (text) yield { type: 'text', text };
  for (const call of toolCalls) {
    yield { type: 'tool_use', id: call.id, name: call.name, input: parseArguments(call.arguments) };
  }
}
