import { createLineReader } from './line-reader.ts';

/** One event of a Server-Sent Events stream. */
export interface SseEvent {
  readonly event?: string;
  readonly data: string;
}

/** What reads a byte stream and gives back the records it completed. */
export interface ByteParser<Record> {
  readonly push: (chunk: Uint8Array) => readonly Record[];
  readonly end: () => readonly Record[];
}

/** Reads Server-Sent Events. An event the stream ends in the middle of still counts: many servers forget the last blank line. */
export function createSseParser(): ByteParser<SseEvent> {
  let events: SseEvent[] = [];
  let event: string | undefined;
  let data: string | undefined;

  const dispatch = () => {
    if (data !== undefined) events.push(event === undefined ? { data } : { event, data });
    event = undefined;
    data = undefined;
  };

  const lines = createLineReader((line) => {
    if (line === '') return dispatch();
    if (isField(line, 'data')) {
      const value = fieldValue(line, 'data');
      data = data === undefined ? value : `${data}\n${value}`;
    } else if (isField(line, 'event')) event = fieldValue(line, 'event');
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

const isField = (line: string, name: string) =>
  line.startsWith(name) && (line.length === name.length || line[name.length] === ':');

const fieldValue = (line: string, name: string) => line.slice(name.length + (line[name.length + 1] === ' ' ? 2 : 1));
