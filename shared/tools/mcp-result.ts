import { isObject, listAt, objectAt, stringAt } from '../llm/json-value.ts';
import { dataUrl } from '../llm/parts.ts';
import type { Fields } from '../llm/turn.ts';
import { toFile, toText, withFiles, type Citation, type ToolFile, type ToolResult } from './tool.ts';

/** What an MCP server answered a call with: text to read, files to show, places to cite. */
export function readMcpResult(answer: unknown): ToolResult {
  const parts = listAt(answer, 'content');
  const structured = objectAt(answer, 'structuredContent');
  const texts = parts.map(textOf).filter(Boolean);
  const isSilent = texts.length === 0 && Object.keys(structured).length > 0;
  const citations = parts.flatMap(citationOf);
  return {
    ...withFiles(isSilent ? toText(structured) : texts.join('\n'), parts.flatMap(fileOf)),
    isError: isObject(answer) && answer.isError === true,
    ...(citations.length > 0 && { citations }),
  };
}

function textOf(part: Fields): string {
  if (part.type === 'text') return stringAt(part, 'text') ?? '';
  if (part.type === 'resource') return stringAt(part.resource, 'text') ?? '';
  if (part.type !== 'resource_link') return '';
  const description = stringAt(part, 'description');
  return `[${nameOf(part)}](${stringAt(part, 'uri') ?? ''})${description ? `: ${description}` : ''}`;
}

/** Pictures, recordings, and whatever else is not text. */
function fileOf(part: Fields): ToolFile[] {
  const isMedia = part.type === 'image' || part.type === 'audio';
  const holder = isMedia ? part : part.type === 'resource' ? part.resource : undefined;
  const data = stringAt(holder, isMedia ? 'data' : 'blob');
  if (data === undefined) return [];
  const contentType =
    stringAt(holder, 'mimeType') ?? UNSAID[isMedia ? String(part.type) : ''] ?? 'application/octet-stream';
  return [toFile(dataUrl(contentType, data), contentType, isMedia ? undefined : nameOf(holder))];
}

/** For servers that leave out what they must say. */
const UNSAID: Readonly<Record<string, string>> = { image: 'image/png', audio: 'audio/wav' };

function citationOf(part: Fields): Citation[] {
  const holder = part.type === 'resource_link' ? part : part.type === 'resource' ? part.resource : undefined;
  const url = stringAt(holder, 'uri');
  const text = stringAt(holder, 'text') ?? (part.type === 'resource_link' ? textOf(part) : undefined);
  return url === undefined || text === undefined ? [] : [{ name: nameOf(holder), url, text }];
}

const nameOf = (holder: unknown): string => {
  const uri = stringAt(holder, 'uri') ?? '';
  return stringAt(holder, 'title') ?? stringAt(holder, 'name') ?? (uri.split('/').findLast(Boolean) || 'File');
};
