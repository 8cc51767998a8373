import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** One part of the bench: it starts what it needs, measures, and answers with Markdown. */
export interface Section {
  readonly name: string;
  readonly title: string;
  run(): Promise<string>;
}

const FILE = 'docs/benchmarks.md';
const INTRO = `# Benchmarks

Written by \`npm run bench\` (or \`npm run bench -- <section>\`). Everything runs on one machine over loopback, targets
interleaved round by round, so only the ratios inside one run mean something; absolute figures move with the machine.
`;

/** Replaces the sections that were measured and keeps the others as they were. */
export function writeReport(measured: ReadonlyMap<string, string>) {
  const before = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  const kept = [...before.matchAll(/<!-- (\w+) -->\n([\s\S]*?)(?=\n<!-- \w+ -->|$)/g)].map(
    ([, name = '', text = '']) => [name, text.trim()] as const,
  );
  const sections = new Map([...kept, ...measured]);
  const text = [...sections].map(([name, body]) => `<!-- ${name} -->\n${body.trim()}\n`).join('\n');
  writeFileSync(FILE, `${INTRO}\n${text}`);
}

export const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export const round = (value: number, digits = 2) => Number(value.toFixed(digits));
