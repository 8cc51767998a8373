import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import '../support/host.ts';
import { AppError } from '../../shared/errors.ts';
import type { PlanGrant } from '../../shared/plans/plans.ts';
import { createQuota, type Payer } from '../../shared/plans/quota.ts';
import { openTable } from '../../shared/store/table.ts';
import { putting, transact } from '../../shared/store/transaction.ts';
import type { Millis } from '../../shared/time.ts';

const NOON = Date.UTC(2026, 8, 30, 12) as Millis;
const DAY = 86_400_000;
let at: Millis = NOON;
const quota = createQuota(() => at);

const payer = (limits: PlanGrant['limits'], trialEndsAt: number | null = null): Payer => ({
  userId: randomUUID(),
  orgId: randomUUID(),
  plan: { id: 'trial', trialEndsAt, limits },
});

const usedOf = async (who: Payer, limit: string) => (await quota.usage(who)).find((use) => use.limit === limit)?.used;

async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const failure: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof AppError)) throw new Error(`Expected a refusal, got ${String(failure)}`);
  return failure;
}

describe('counters against a plan', () => {
  test('twenty parallel reservations against a limit of seven pass exactly seven times', async () => {
    const who = payer({ completions_per_day: 7 });
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => quota.reserve(who, 'completions_per_day')));
    expect(tries.filter((one) => one.status === 'fulfilled')).toHaveLength(7);
    expect(await usedOf(who, 'completions_per_day')).toBe(7);
  });

  test('twenty parallel amounts never add up to more than the limit', async () => {
    const who = payer({ storage_bytes: 1000 });
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => quota.reserve(who, 'storage_bytes', 90 + i)),
    );
    const taken = tries.reduce((sum, one, i) => sum + (one.status === 'fulfilled' ? 90 + i : 0), 0);
    expect(taken).toBeLessThanOrEqual(1000);
    expect(taken).toBeGreaterThan(1000 - 110);
    expect(await usedOf(who, 'storage_bytes')).toBe(taken);
  });

  test('a day limit answers 429 with the limit, its size, what is used and when it starts again', async () => {
    const who = payer({ completions_per_day: 1 });
    await quota.reserve(who, 'completions_per_day');
    const failure = await failureOf(quota.reserve(who, 'completions_per_day'));
    expect(failure).toMatchObject({ code: 'rate_limited', status: 429, headers: { 'retry-after': '43200' } });
    expect(failure.facts).toEqual({
      limit: 'completions_per_day',
      plan: 'trial',
      size: 1,
      used: 1,
      resetsAt: '2026-10-01T00:00:00.000Z',
    });
  });

  test('a new day and a new month count from nothing, what is kept goes on counting', async () => {
    const who = payer({ completions_per_day: 1, documents_per_month: 1, knowledge_files: 1 });
    const limits = ['completions_per_day', 'documents_per_month', 'knowledge_files'] as const;
    for (const limit of limits) await quota.reserve(who, limit);
    at = (NOON + DAY) as Millis;
    try {
      await quota.reserve(who, 'completions_per_day');
      await quota.reserve(who, 'documents_per_month');
      const failure = await failureOf(quota.reserve(who, 'knowledge_files'));
      expect(failure).toMatchObject({ status: 402, facts: { limit: 'knowledge_files', size: 1, resetsAt: null } });
    } finally {
      at = NOON;
    }
  });

  test('an amount larger than the whole limit is refused and counts nothing', async () => {
    const who = payer({ storage_bytes: 10 });
    expect(await failureOf(quota.reserve(who, 'storage_bytes', 11))).toMatchObject({ status: 402 });
    expect(await usedOf(who, 'storage_bytes')).toBe(0);
  });

  test('a released reservation can be taken again, and releasing twice gives back once', async () => {
    const who = payer({ documents_per_month: 2 });
    await quota.reserve(who, 'documents_per_month');
    const second = await quota.reserve(who, 'documents_per_month');
    await second.release();
    await second.release();
    expect(await usedOf(who, 'documents_per_month')).toBe(1);
    await quota.reserve(who, 'documents_per_month');
    expect(await failureOf(quota.reserve(who, 'documents_per_month'))).toMatchObject({ status: 402 });
  });

  test('releasing more than was taken never makes room beyond the plan', async () => {
    const who = payer({ storage_bytes: 10 });
    await quota.reserve(who, 'storage_bytes', 4);
    await quota.release(who, 'storage_bytes', 9);
    expect(await usedOf(who, 'storage_bytes')).toBe(4);
  });

  test('a trial that has ended takes nothing new and says so', async () => {
    const who = payer(undefined, NOON - 1);
    const failure = await failureOf(quota.reserve(who, 'documents_per_month'));
    expect(failure).toMatchObject({ status: 402, facts: { limit: 'trial', endedAt: '2026-09-30T11:59:59.999Z' } });
  });

  test('a plan without end is counted and never refused', async () => {
    const who: Payer = { ...payer(undefined), plan: { id: 'enterprise', trialEndsAt: null } };
    await quota.reserve(who, 'completions_per_day', 1_000_000);
    await quota.reserve(who, 'completions_per_day', 1_000_000);
    expect(await usedOf(who, 'completions_per_day')).toBe(2_000_000);
  });

  test('tenants do not share a counter, members of one organization do', async () => {
    const one = payer({ documents_per_month: 1 });
    const colleague: Payer = { ...one, userId: randomUUID() };
    const stranger = payer({ documents_per_month: 1 });
    await quota.reserve(one, 'documents_per_month');
    await quota.reserve(stranger, 'documents_per_month');
    expect(await failureOf(quota.reserve(colleague, 'documents_per_month'))).toMatchObject({ status: 402 });
  });

  test('as part of a transaction a full plan leaves nothing behind', async () => {
    const accounts = openTable('accounts');
    const who = payer({ knowledge_files: 1 });
    const add = (id: string) =>
      transact([
        putting('file', accounts, { pk: `TEST#${who.userId}`, sk: id }),
        quota.reserving(who, 'knowledge_files'),
      ]).catch(quota.refusal(who, 'knowledge_files'));
    await add('first');
    expect(await failureOf(add('second'))).toMatchObject({ status: 402, facts: { limit: 'knowledge_files', used: 1 } });
    expect(await accounts.get({ pk: `TEST#${who.userId}`, sk: 'second' })).toBeUndefined();
    await transact([quota.releasing(who, 'knowledge_files')]);
    await add('third');
  });
});
