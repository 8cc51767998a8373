import { parseJson } from '../llm/json-value.ts';
import { dataUrl } from '../llm/parts.ts';
import type { OutboundResponse } from '../net/response.ts';
import { toFile, toResult, withFiles, type ToolResult } from './tool.ts';

const LONGEST_TEXT = 1024 * 1024;
const LONGEST_ERROR = 4000;
const LARGEST_MEDIA = 2 * 1024 * 1024;

/** HTML that says it wants to be shown in place is for the user; the model only learns of it. */
export async function readResult(response: OutboundResponse): Promise<ToolResult> {
  const { status, headers } = response;
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim() ?? '';
  if (status === 200 && /^(image|audio)\//i.test(type)) {
    const bytes = await response.bytes(LARGEST_MEDIA);
    return withFiles('', [toFile(dataUrl(type, bytes.toString('base64')), type)]);
  }
  const { bytes, isCut } = await readUpTo(response, LONGEST_TEXT);
  const text = bytes.toString('utf8');
  if (status < 200 || status > 299)
    return { text: `The tool answered ${status}: ${text}`.slice(0, LONGEST_ERROR), isError: true };
  const isInline = /^inline/i.test(String(headers['content-disposition'] ?? ''));
  if (isInline && /^text\/html/i.test(type))
    return { text: 'The result is shown to the user.', embeds: [headers.location ?? text] };
  if (bytes.includes(0)) return { text: `The tool answered with ${type || 'bytes'}, which is no text`, isError: true };
  if (isCut) return { text: `${text}\n[The answer is longer than 1 MB; the rest was left out.]` };
  if (text === '') return { text: `The tool answered ${status} without a word.` };
  const value = parseJson(text);
  return toResult(value === undefined ? text : value);
}

/** A long answer is better than none: its beginning is read, and the connection closed. */
async function readUpTo(response: OutboundResponse, limit: number): Promise<{ bytes: Buffer; isCut: boolean }> {
  const kept: Buffer[] = [];
  const enough = new Error('Enough was read');
  let size = 0;
  const take = (chunk: Buffer) => {
    kept.push(chunk);
    size += chunk.length;
    if (size > limit) throw enough;
  };
  await response.pump(take).catch((error: unknown) => {
    if (error !== enough) throw error;
  });
  return { bytes: Buffer.concat(kept).subarray(0, limit), isCut: size > limit };
}
