import { MALFORMED } from '../model-error.ts';
import { createSseParser, type SseEvent } from '../sse-parser.ts';
import type { TurnEvent } from '../turn-event.ts';
import { createDeltaReader } from './delta-reader.ts';
import { endChat, startChat, stepChat, stepText } from './step.ts';

/** Follows a chat-completions stream whose bytes are forwarded as they are. */
export interface RelayTap {
  /** Only keeps the chunk: the bytes should be on their way before anybody looks into them. */
  readonly push: (chunk: Uint8Array) => void;
  /** What was said since the last call, runs of text joined. */
  readonly read: () => readonly TurnEvent[];
  /** To be called once, when the bytes stop: what `read` would give, and how the answer ended. */
  readonly end: () => readonly TurnEvent[];
}

export function createRelayTap(seed: string): RelayTap {
  const parser = createSseParser();
  const readDelta = createDeltaReader();
  let waiting: Uint8Array[] = [];
  let state = startChat(seed);

  const follow = (events: TurnEvent[], { data }: SseEvent) => {
    const line = readDelta(data);
    const [next, more] =
      'text' in line ? stepText(state, line.text) : stepChat(state, line.chunk ?? { error: MALFORMED });
    state = next;
    for (const event of more) append(events, event);
    return events;
  };

  const read = () => {
    const chunks = waiting;
    waiting = [];
    return chunks.flatMap((chunk) => parser.push(chunk)).reduce<TurnEvent[]>(follow, []);
  };

  return {
    push: (chunk) => void waiting.push(chunk),
    read,
    end() {
      const heard = read();
      parser.end().reduce(follow, heard);
      return [...heard, ...endChat(state)];
    },
  };
}

function append(events: TurnEvent[], event: TurnEvent): void {
  const last = events.at(-1);
  const joins = event.type === 'text' && last?.type === 'text';
  if (joins) events[events.length - 1] = { type: 'text', text: last.text + event.text };
  else events.push(event);
}
