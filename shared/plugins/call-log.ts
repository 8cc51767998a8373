import type { LogLine } from './logs.ts';

/** What a plugin prints during one call: the newest lines, and none of what was set in valves. */
export interface CallLog {
  readonly lines: readonly LogLine[];
  readonly add: (level: LogLine['level'], text: string) => void;
  readonly redact: (text: string) => string;
}

const MOST_LINES = 50;
const LONGEST_LINE = 2000;
/** Shorter ones are words that stand in any text. */
const SHORTEST_SECRET = 6;

export function createCallLog(secrets: readonly string[]): CallLog {
  const lines: LogLine[] = [];
  const redact = createRedaction(secrets);
  return {
    lines,
    redact,
    add(level, text) {
      lines.push({ level, text: redact(text).slice(0, LONGEST_LINE) });
      if (lines.length > MOST_LINES) lines.shift();
    },
  };
}

function createRedaction(secrets: readonly string[]) {
  const spelled = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const known = [...new Set(spelled)]
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .toSorted((a, b) => b.length - a.length);
  return (text: string) => known.reduce((shown, secret) => shown.replaceAll(secret, '[valve]'), text);
}
