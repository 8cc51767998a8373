import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { AppError } from '../../shared/errors.ts';
import { createThrottle, type Rule } from '../../shared/throttle/throttle.ts';
import type { Millis } from '../../shared/time.ts';
import '../support/host.ts';

const MINUTE = 60_000;
const SETTINGS = { SVC_SECRET_KEY: '', JWT_SECRET: 'a secret only for this test' };

function setUp() {
  let time = 1_800_000_000_000;
  const throttle = createThrottle(SETTINGS, () => time as Millis);
  const subject = randomUUID();
  return {
    throttle,
    subject,
    pass: (ms: number) => void (time += ms),
    /** How many of these tries at once were let through. */
    tries: async (rule: Rule, count: number) => {
      const results = await Promise.allSettled(Array.from({ length: count }, () => throttle.take(rule, subject)));
      return results.filter(({ status }) => status === 'fulfilled').length;
    },
  };
}

const refusal = (error: unknown) => (error instanceof AppError ? Number(error.headers['retry-after']) : Number.NaN);

test('sixty tries at once against a limit of ten: exactly ten pass, in this window and in the next', async () => {
  const rule = { kind: 'test', limit: 10, windowMs: MINUTE };
  const { tries, pass, throttle, subject } = setUp();
  expect(await tries(rule, 60)).toBe(10);
  pass(20_000);
  expect(await throttle.take(rule, subject).catch(refusal)).toBe(40);
  pass(40_000);
  expect(await tries(rule, 60)).toBe(10);
});

test('a window that was used up doubles the next, up to the longest', async () => {
  const rule = { kind: 'doubling', limit: 2, windowMs: 15 * MINUTE, longestMs: 60 * MINUTE };
  const { tries, pass, throttle, subject } = setUp();
  const waits: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    await tries(rule, 3);
    waits.push((await throttle.take(rule, subject).catch(refusal)) as number);
    pass((waits.at(-1) ?? 0) * 1000);
  }
  expect(waits.map((seconds) => seconds / 60)).toEqual([15, 30, 60, 60]);
});

test('what is given back can be used again, and clearing starts afresh', async () => {
  const rule = { kind: 'refund', limit: 1, windowMs: MINUTE };
  const { tries, throttle, subject } = setUp();
  const taken = await throttle.take(rule, subject);
  expect(await tries(rule, 3)).toBe(0);
  await Promise.all([taken.refund(), taken.refund()]);
  expect(await tries(rule, 3)).toBe(1);
  await throttle.clear(rule.kind, subject);
  expect(await tries(rule, 3)).toBe(1);
});
