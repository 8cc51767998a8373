import { createLineReader } from './line-reader.ts';

/** One event of a Server-Sent Events stream. */
export interface SseEvent {
  readonly event?: string;
  readonly data: string;
}

/** What reads a byte stream and gives back the records it completed. */
export interface ByteParser<Record> {
  readonly push: (chunk: Uint8Array) => readonly Record[];
  /** To be called when the bytes stop. */
  readonly end: () => readonly Record[];
}

const DATA = Buffer.from('data');
const EVENT = Buffer.from('event');
const COLON = 58;
const SPACE = 32;

/** Reads Server-Sent Events. One the stream ends in the middle of counts too: many servers forget the last blank line. */
export function createSseParser(): ByteParser<SseEvent> {
  let events: SseEvent[] = [];
  let event: string | undefined;
  let data: string | undefined;

  const dispatch = () => {
    if (data !== undefined) events.push(event === undefined ? { data } : { event, data });
    event = undefined;
    data = undefined;
  };

  const lines = createLineReader((bytes, from, to) => {
    if (from === to) return dispatch();
    if (isField(DATA, bytes, from, to)) {
      const value = fieldValue(bytes, from + DATA.length, to);
      data = data === undefined ? value : `${data}\n${value}`;
    } else if (isField(EVENT, bytes, from, to)) event = fieldValue(bytes, from + EVENT.length, to);
  });

  const taken = () => {
    const ready = events;
    events = [];
    return ready;
  };

  return {
    push(chunk) {
      lines.push(chunk);
      return taken();
    },
    end() {
      lines.end();
      dispatch();
      return taken();
    },
  };
}

function isField(name: Buffer, bytes: Buffer, from: number, to: number): boolean {
  const end = from + name.length;
  if (end > to || (end < to && bytes[end] !== COLON)) return false;
  for (let at = 0; at < name.length; at++) if (bytes[from + at] !== name[at]) return false;
  return true;
}

/** Decoded from the bytes alone: a string cut out of a line would be slower for everyone who reads it. */
const fieldValue = (bytes: Buffer, colon: number, to: number) =>
  bytes.toString('utf8', Math.min(to, colon + (bytes[colon + 1] === SPACE ? 2 : 1)), to);
