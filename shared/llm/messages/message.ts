import { AppError } from '../../errors.ts';
import { isObject, listAt, objectAt, stringAt, without } from '../json-value.ts';
import { dataUrl } from '../parts.ts';
import type { Blocks, MessagesMessage } from './schema.ts';
import type { ContentPart, Fields, Message, Part, ToolResultPart } from '../turn.ts';

/** One message of the format; tool results stand in it beside other content and become messages of their own. */
export function decodeMessage(message: MessagesMessage): Message[] {
  const extra = without(message, ['role', 'content']);
  if (message.role === 'assistant') return [{ role: 'assistant', parts: assistantParts(message.content), extra }];
  if (message.role === 'system') return [{ role: 'system', parts: decodeBlocks(message.content), extra }];
  if (message.role !== 'user') throw new AppError('invalid_request', `There is no role "${message.role}"`);
  const blocks = typeof message.content === 'string' ? [] : message.content;
  const results = blocks.filter(({ type }) => type === 'tool_result').map(decodeResult);
  const said = blocks.filter(({ type }) => type !== 'tool_result');
  const parts = decodeBlocks(typeof message.content === 'string' ? message.content : said);
  const tools = results.map((result): Message => ({ role: 'tool', parts: [result] }));
  return tools.length > 0 && parts.length === 0 ? tools : [...tools, { role: 'user', parts, extra }];
}

export const decodeBlocks = (content: Blocks): ContentPart[] => {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return content.map(decodeBlock);
};

function assistantParts(content: Blocks): Part[] {
  if (typeof content === 'string') return decodeBlocks(content);
  return content.map((block): Part => {
    if (block.type === 'thinking') {
      return {
        type: 'thinking',
        text: stringAt(block, 'thinking') ?? '',
        signature: stringAt(block, 'signature') ?? '',
      };
    }
    if (block.type === 'redacted_thinking') {
      return { type: 'thinking', text: '', signature: '', redacted: stringAt(block, 'data') ?? '' };
    }
    if (block.type !== 'tool_use') return decodeBlock(block);
    return {
      type: 'tool_call',
      id: stringAt(block, 'id') ?? '',
      name: stringAt(block, 'name') ?? '',
      arguments: JSON.stringify(block.input ?? {}),
    };
  });
}

function decodeResult(block: Fields): ToolResultPart {
  const content = typeof block.content === 'string' ? block.content : listAt(block, 'content');
  return {
    type: 'tool_result',
    id: stringAt(block, 'tool_use_id') ?? '',
    content: typeof content === 'string' ? decodeBlocks(content) : content.map(decodeBlock),
    ...(block.is_error === true && { isError: true }),
    extra: without(block, ['type', 'tool_use_id', 'content', 'is_error']),
  };
}

function decodeBlock(block: Fields): ContentPart {
  switch (block.type) {
    case 'text':
      return {
        type: 'text',
        text: stringAt(block, 'text') ?? '',
        extra: without(block, ['type', 'text', 'citations']),
      };
    case 'image':
      return decodeImage(block);
    case 'document':
      return decodeDocument(block);
    case 'search_result':
      return { type: 'text', text: [block.title, block.source, textOf(block.content)].filter(Boolean).join('\n') };
    default:
      return { type: 'foreign', origin: 'messages', value: block };
  }
}

function decodeImage(block: Fields): ContentPart {
  const source = objectAt(block, 'source');
  const url = sourceUrl(source);
  if (url === undefined) return { type: 'foreign', origin: 'messages', value: block };
  return { type: 'image', url, extra: without(block, ['type', 'source']) };
}

function decodeDocument(block: Fields): ContentPart {
  const source = objectAt(block, 'source');
  const title = stringAt(block, 'title');
  const text = source.type === 'text' ? stringAt(source, 'data') : textOf(source.content);
  if (text !== undefined) return { type: 'text', text: title ? `${title}\n${text}` : text };
  const url = source.type === 'base64' ? sourceUrl(source) : undefined;
  if (url === undefined) return { type: 'foreign', origin: 'messages', value: block };
  return { type: 'file', url, filename: title };
}

function sourceUrl(source: Fields): string | undefined {
  if (source.type === 'url') return stringAt(source, 'url');
  const data = source.type === 'base64' ? stringAt(source, 'data') : undefined;
  return data === undefined ? undefined : dataUrl(stringAt(source, 'media_type') ?? 'application/octet-stream', data);
}

function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  return content
    .filter(isObject)
    .map((block) => stringAt(block, 'text') ?? '')
    .join('\n');
}
