import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Knobs } from './knobs.ts';

export interface Stream {
  readonly type: string;
  readonly frames: readonly string[];
  /** What stands for an error in the middle. */
  readonly error: string;
  /** The closing marker, if the format has one. */
  readonly closing: string;
}

/** Sends the frames of a stream as the knobs say, torn and joined in every way that real networks do. */
export async function sendStream(response: ServerResponse, stream: Stream, knobs: Knobs) {
  response.writeHead(200, { 'content-type': stream.type });
  response.flushHeaders();
  const middle = Math.ceil(stream.frames.length / 2);
  const frames = knobs.has('cut') || knobs.has('broken') ? stream.frames.slice(0, middle) : stream.frames;
  const closing = knobs.has('unended') || knobs.has('cut') ? '' : stream.closing;
  const parts = [...frames, knobs.has('broken') ? stream.error : closing].filter((part) => part !== '');
  const lines = parts.map((part) => (knobs.has('crlf') ? part.replaceAll('\n', '\r\n') : part));
  if (knobs.has('unended')) lines.push((lines.pop() ?? '').trimEnd());
  for (const chunk of chunksOf(lines, knobs)) {
    if (response.destroyed) return;
    response.write(chunk);
    if (knobs.has('stall')) return;
    await pause(pauseOf(knobs));
  }
  if (knobs.has('cut')) response.destroy();
  else response.end();
}

/** Without a pause, a turn of the event loop still sends each chunk on its own. */
const pause = (ms: number) => (ms === 0 ? nextTurn() : sleep(ms));

const pauseOf = (knobs: Knobs) => knobs.number('slow') ?? (knobs.has('slow') ? 20 : 0);

function chunksOf(lines: readonly string[], knobs: Knobs): Buffer[] {
  if (knobs.has('lump')) return [Buffer.from(lines.join(''))];
  if (!knobs.has('bytes')) return lines.map((line) => Buffer.from(line));
  return [...Buffer.from(lines.join(''))].map((byte) => Buffer.of(byte));
}

export function sendJson(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
