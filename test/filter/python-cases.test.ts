import { describe, expect, test } from 'vitest';
import { answer, readFixture, type Answer, type Case } from './python-answer.ts';

const cases: readonly Case[] = JSON.parse(readFixture('cases-oracle.json'));

/** Valid in Python, refused here: a filter only reads, and knows neither bytes nor complex numbers. */
const REFUSED = ['payload["edict"].pop("x", 5)', '"abc".encode()', '(-8) ** (1/3)'];

describe('the committed cases', () => {
  const answered = cases.map((known) => ({ known, ours: answer(known.source) }));

  test('every value, truth and exception is the one CPython gives', () => {
    const different = answered.filter(({ known, ours }) => !isSame(known, ours));
    expect(different.filter(({ known }) => !REFUSED.includes(known.source))).toEqual([]);
  });

  test('what is refused on purpose is an error, never another value', () => {
    const refused = answered.filter(({ known }) => REFUSED.includes(known.source));
    expect(refused).toHaveLength(REFUSED.length);
    expect(refused.filter(({ ours }) => !('error' in ours))).toEqual([]);
  });

  test('there are values and exceptions among them', () => {
    expect(cases.filter((known) => 'error' in known).length).toBeGreaterThan(100);
    expect(cases.filter((known) => 'text' in known).length).toBeGreaterThan(400);
  });
});

function isSame(known: Answer, ours: Answer): boolean {
  if ('error' in known) return 'error' in ours && known.error === ours.error;
  return 'text' in ours && known.text === ours.text && known.truth === ours.truth;
}
