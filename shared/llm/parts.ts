import type { ContentPart, Message, Part, TextPart, ThinkingPart, ToolCallPart, ToolResultPart } from './turn.ts';

export const callsOf = ({ parts }: Message): ToolCallPart[] => parts.filter((part) => part.type === 'tool_call');

export const thinkingOf = ({ parts }: Message): ThinkingPart[] => parts.filter((part) => part.type === 'thinking');

export const resultsOf = ({ parts }: Message): ToolResultPart[] => parts.filter((part) => part.type === 'tool_result');

export const contentOf = ({ parts }: Message): ContentPart[] => parts.filter(isContent);

const isContent = (part: Part): part is ContentPart =>
  part.type === 'text' || part.type === 'image' || part.type === 'file' || part.type === 'foreign';

export const isText = (part: Part): part is TextPart => part.type === 'text';

/** The system text a conversation opens with, and the rest of it. */
export function splitSystem(messages: readonly Message[]): { system: TextPart[]; messages: Message[] } {
  const firstOther = messages.findIndex(({ role }) => role !== 'system');
  const leading = firstOther === -1 ? messages.length : firstOther;
  const system = messages.slice(0, leading).flatMap(({ parts }) => parts.filter(isText));
  return { system, messages: messages.slice(leading) };
}

/** A data: URL taken apart; undefined for a web address. */
export function readDataUrl(url: string): { mediaType: string; data: string } | undefined {
  const comma = url.indexOf(',');
  const head = url.slice(0, comma);
  if (!head.startsWith('data:') || !head.endsWith(';base64')) return undefined;
  return { mediaType: head.slice('data:'.length, -';base64'.length), data: url.slice(comma + 1) };
}

export const dataUrl = (mediaType: string, data: string) => `data:${mediaType};base64,${data}`;
