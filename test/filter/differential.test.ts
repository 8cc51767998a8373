import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { answer, fixtures, REFUSALS, type Answer, type Case } from './python-answer.ts';

const COUNT = Number(process.env['FILTER_CASES'] ?? 3000);
const SEED = Number(process.env['FILTER_SEED'] ?? 2026);
const MEGABYTE = 1024 * 1024;
const WHY = 'there is no python3 of version 3.11 or newer';

describe('random expressions', () => {
  test('have the value, the truth or the failure that CPython gives', { timeout: 120_000 }, ({ skip }) => {
    if (!hasPython()) {
      if (process.env['CI'] === 'true') throw new Error(`Not compared, because ${WHY}`);
      console.warn(`SKIPPED the comparison with CPython, because ${WHY}`);
      skip(WHY);
    }
    const compared = generate().map((known) => ({ known, ours: answer(known.source) }));
    expect(compared).toHaveLength(COUNT);
    expect(compared.filter(({ known, ours }) => !agrees(known, ours))).toEqual([]);

    const refused = compared.filter(({ known, ours }) => 'text' in known && 'error' in ours);
    expect(refused.length).toBeLessThan(COUNT / 200);
    const failed = compared.filter(({ known }) => 'error' in known);
    expect(failed.length).toBeGreaterThan(COUNT / 20);
    expect(failed.filter(({ known, ours }) => !isSameError(known, ours)).length).toBeLessThan(failed.length / 50);
  });
});

function hasPython(): boolean {
  const asked = spawnSync('python3', ['-c', 'import sys; print(sys.version_info >= (3, 11))'], { encoding: 'utf8' });
  return asked.stdout?.trim() === 'True';
}

/** One process makes all expressions and evaluates them; a fixed hash seed makes it repeatable. */
function generate(): readonly Case[] {
  const script = join(fixtures, 'generate.py');
  const made = spawnSync('python3', [script, String(SEED), String(COUNT)], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONHASHSEED: '0', PYTHONIOENCODING: 'utf-8' },
    maxBuffer: 256 * MEGABYTE,
  });
  if (made.status !== 0) throw new Error(made.stderr);
  return JSON.parse(made.stdout);
}

/** The same answer, or a refusal where Python would have gone on; never another value and never a missed error. */
function agrees(known: Answer, ours: Answer): boolean {
  if ('error' in known) return 'error' in ours;
  if ('error' in ours) return REFUSALS.includes(ours.error);
  return known.text === ours.text && known.truth === ours.truth;
}

const isSameError = (known: Answer, ours: Answer) => 'error' in known && 'error' in ours && known.error === ours.error;
