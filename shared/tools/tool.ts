import { readDataUrl } from '../llm/parts.ts';
import type { Fields } from '../llm/turn.ts';

/** What came back from a tool. */
export interface ToolResult {
  readonly text: string;
  readonly isError?: boolean;
  /** Pictures for the model to look at, as web addresses or `data:` URLs. */
  readonly images?: readonly string[];
  /** For the user, to be kept with the message. */
  readonly files?: readonly ToolFile[];
  /** HTML or addresses for the user to look at. */
  readonly embeds?: readonly string[];
  /** Where what it says can be read. */
  readonly citations?: readonly Citation[];
}

export interface ToolFile {
  readonly type: 'image' | 'audio' | 'file';
  /** A web address or a `data:` URL. */
  readonly url: string;
  readonly name?: string;
  readonly content_type?: string;
}

export interface Citation {
  readonly name: string;
  readonly url: string;
  readonly text: string;
}

/** Something a model can have done. */
export interface Tool {
  /** Where it comes from: the id by which requests name it. */
  readonly source: string;
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Fields;
  /** Shown to the user as the origin of what the model says. Not for tools that tell nothing. */
  readonly isCited: boolean;
  run(args: Fields, signal: AbortSignal): Promise<ToolResult>;
}

/** A value of any kind as text for a model. */
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value, null, 2);

/** A value of any kind as a result; a picture or a recording written as a `data:` URL is shown, not read out. */
export function toResult(value: unknown): ToolResult {
  const media = typeof value === 'string' ? mediaOf(value.trim()) : undefined;
  return media ? withFiles('', [media]) : { text: toText(value) };
}

function mediaOf(text: string): ToolFile | undefined {
  const inline = readDataUrl(text);
  return inline && /^(image|audio)\//.test(inline.mediaType) ? toFile(text, inline.mediaType) : undefined;
}

export const toFile = (url: string, contentType: string, name?: string): ToolFile => ({
  type: contentType.startsWith('image/') ? 'image' : contentType.startsWith('audio/') ? 'audio' : 'file',
  url,
  ...(name !== undefined && { name }),
  content_type: contentType,
});

/** The user gets the files, the model the pictures among them and a word about the rest. */
export function withFiles(text: string, files: readonly ToolFile[]): ToolResult {
  if (files.length === 0) return { text };
  const mention = files.map(({ type, name }) => `[${name ?? NAMES[type]}: shown to the user]`).join('\n');
  const images = files.filter(({ type }) => type === 'image').map(({ url }) => url);
  return { text: text === '' ? mention : `${text}\n${mention}`, files, images };
}

const NAMES = { image: 'Picture', audio: 'Recording', file: 'File' } as const;
