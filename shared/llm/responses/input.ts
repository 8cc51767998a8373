import { AppError } from '../../errors.ts';
import { unsupported } from '../foreign.ts';
import { listAt, stringAt } from '../json-value.ts';
import type { ContentPart, Fields, Message, Part } from '../turn.ts';

/** The items of a request as messages. What the model said in several items is one message elsewhere. */
export function decodeInput(input: string | readonly Fields[]): Message[] {
  if (typeof input === 'string') return [{ role: 'user', parts: [{ type: 'text', text: input }] }];
  const messages: Message[] = [];
  for (const message of input.map(decodeItem)) {
    const last = messages.at(-1);
    if (message.role !== 'assistant' || last?.role !== 'assistant') messages.push(message);
    else messages.splice(-1, 1, { role: 'assistant', parts: [...last.parts, ...message.parts] });
  }
  return messages;
}

function decodeItem(item: Fields): Message {
  switch (item.type) {
    case undefined:
    case 'message':
      return { role: decodeRole(item.role), parts: decodeContent(item) };
    case 'function_call':
      return { role: 'assistant', parts: [decodeCall(item)] };
    case 'function_call_output':
      return {
        role: 'tool',
        parts: [{ type: 'tool_result', id: stringAt(item, 'call_id') ?? '', content: decodeContent(item, 'output') }],
      };
    case 'reasoning':
      return { role: 'assistant', parts: [{ type: 'thinking', text: reasoningText(item), signature: '' }] };
    default:
      throw unsupported(String(item.type));
  }
}

function decodeRole(role: unknown): Message['role'] {
  if (role === 'developer' || role === 'system') return 'system';
  if (role === 'user' || role === 'assistant') return role;
  throw new AppError('invalid_request', `There is no role "${String(role)}"`);
}

const decodeCall = (item: Fields): Part => ({
  type: 'tool_call',
  id: stringAt(item, 'call_id') ?? '',
  name: stringAt(item, 'name') ?? '',
  arguments: stringAt(item, 'arguments') ?? '',
});

const reasoningText = (item: Fields) =>
  [...listAt(item, 'content'), ...listAt(item, 'summary')].map((part) => stringAt(part, 'text') ?? '').join('\n');

function decodeContent(item: Fields, key = 'content'): ContentPart[] {
  const text = stringAt(item, key);
  if (text === undefined) return listAt(item, key).map(decodePart);
  return text === '' ? [] : [{ type: 'text', text }];
}

function decodePart(part: Fields): ContentPart {
  const text = stringAt(part, 'text') ?? stringAt(part, 'refusal');
  if (text !== undefined) return { type: 'text', text };
  const image = part.type === 'input_image' ? stringAt(part, 'image_url') : undefined;
  if (image !== undefined) return { type: 'image', url: image, detail: stringAt(part, 'detail') };
  const file = part.type === 'input_file' ? stringAt(part, 'file_data') : undefined;
  if (file !== undefined) return { type: 'file', url: file, filename: stringAt(part, 'filename') };
  return { type: 'foreign', origin: 'responses', value: part };
}
