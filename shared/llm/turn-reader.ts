import { createNdjsonParser } from './ndjson-parser.ts';
import { parseJson } from './json-value.ts';
import { MALFORMED } from './model-error.ts';
import type { UpstreamProtocol } from './protocol.ts';
import { createSseParser } from './sse-parser.ts';
import type { TurnEvent } from './turn-event.ts';

/** Reads the bytes of an upstream stream and says what the model said. */
export interface TurnReader {
  readonly push: (chunk: Uint8Array) => readonly TurnEvent[];
  /** To be called when the bytes stop, for whatever reason. */
  readonly end: () => readonly TurnEvent[];
}

export function createTurnReader<State>(protocol: UpstreamProtocol<State>, seed: string): TurnReader {
  const parser = createDataParser(protocol.framing);
  let state = protocol.start(seed);
  let isOver = false;

  const read = (records: readonly string[]) => {
    const events: TurnEvent[] = [];
    for (const data of records) {
      if (isOver) break;
      const chunk = data === '[DONE]' ? data : parseJson(data);
      const [next, more] = chunk === undefined ? [state, [malformed]] : protocol.step(state, chunk);
      state = next;
      events.push(...more);
      isOver = more.some(isLast);
    }
    return events;
  };

  return {
    push: (chunk) => read(parser.push(chunk)),
    end() {
      const events = read(parser.end());
      if (isOver) return events;
      isOver = true;
      return [...events, ...protocol.end(state)];
    },
  };
}

const malformed: TurnEvent = { type: 'error', error: MALFORMED };
const isLast = ({ type }: TurnEvent) => type === 'finish' || type === 'error';

/** Both framings give the same: one text of JSON after the other. */
function createDataParser(framing: 'sse' | 'ndjson') {
  if (framing === 'ndjson') return createNdjsonParser();
  const sse = createSseParser();
  return {
    push: (chunk: Uint8Array) => sse.push(chunk).map(({ data }) => data),
    end: () => sse.end().map(({ data }) => data),
  };
}
