import * as z from 'zod';
import { AppError } from '../../errors.ts';
import { unsupported } from '../foreign.ts';
import { isObject, stringAt, without } from '../json-value.ts';
import type { ContentPart, Fields, Message, Part } from '../turn.ts';

const Content = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).nullish();
type Content = z.output<typeof Content>;

const ToolCall = z.looseObject({
  id: z.string().optional(),
  function: z.looseObject({ name: z.string(), arguments: z.string().default('') }).optional(),
});

export const ChatMessage = z.looseObject({
  role: z.string().min(1),
  content: Content,
  tool_calls: z.array(ToolCall).nullish(),
  tool_call_id: z.string().nullish(),
  reasoning_content: z.string().nullish(),
});
export type ChatMessage = z.output<typeof ChatMessage>;

export function decodeMessage(message: ChatMessage): Message {
  const extra = without(message, ['role', 'content', 'tool_calls', 'tool_call_id', 'reasoning_content']);
  switch (message.role) {
    case 'developer':
    case 'system':
      return { role: 'system', parts: decodeContent(message.content), extra };
    case 'user':
      return { role: 'user', parts: decodeContent(message.content), extra };
    case 'assistant':
      return { role: 'assistant', parts: assistantParts(message), extra };
    case 'tool': {
      const content = decodeContent(message.content);
      return { role: 'tool', parts: [{ type: 'tool_result', id: message.tool_call_id ?? '', content }], extra };
    }
    default:
      throw new AppError('invalid_request', `A message with role "${message.role}" cannot be sent to this model`);
  }
}

function assistantParts(message: ChatMessage): Part[] {
  const thinking = message.reasoning_content;
  return [
    ...(thinking ? [{ type: 'thinking' as const, text: thinking }] : []),
    ...decodeContent(message.content),
    ...(message.tool_calls ?? []).map(decodeCall),
  ];
}

function decodeCall(call: z.output<typeof ToolCall>, index: number): Part {
  if (!call.function) throw unsupported('a tool call that is not of a function');
  const { name, arguments: text } = call.function;
  const extra = without(call, ['id', 'type', 'function', 'index']);
  return { type: 'tool_call', id: call.id ?? `call_${index}`, name, arguments: text, extra };
}

function decodeContent(content: Content): ContentPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return (content ?? []).map(decodePart);
}

function decodePart(part: Fields): ContentPart {
  if (part.type === 'text' && typeof part.text === 'string') {
    return { type: 'text', text: part.text, extra: without(part, ['type', 'text']) };
  }
  if (part.type === 'refusal' && typeof part.refusal === 'string') return { type: 'text', text: part.refusal };
  const image = part.type === 'image_url' ? part.image_url : undefined;
  const url = typeof image === 'string' ? image : stringAt(image, 'url');
  if (url !== undefined) {
    return { type: 'image', url, detail: stringAt(image, 'detail'), extra: without(part, ['type', 'image_url']) };
  }
  const file = part.type === 'file' && isObject(part.file) ? part.file : undefined;
  const data = stringAt(file, 'file_data');
  if (data !== undefined) return { type: 'file', url: data, filename: stringAt(file, 'filename') };
  return { type: 'foreign', origin: 'chat', value: part };
}
