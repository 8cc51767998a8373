import { createLineReader } from './line-reader.ts';
import type { ByteParser } from './sse-parser.ts';

/** Reads newline-delimited JSON into its lines; blank ones are skipped, the last needs no line break. */
export function createNdjsonParser(): ByteParser<string> {
  let lines: string[] = [];
  const reader = createLineReader((bytes, from, to) => {
    const line = bytes.toString('utf8', from, to);
    if (line.trim() !== '') lines.push(line);
  });
  const taken = () => {
    const ready = lines;
    lines = [];
    return ready;
  };
  return {
    push(chunk) {
      reader.push(chunk);
      return taken();
    },
    end() {
      reader.end();
      return taken();
    },
  };
}
