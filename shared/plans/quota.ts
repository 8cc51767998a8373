import { tenantOf, type UserActor } from '../identity/actor.ts';
import { log } from '../log.ts';
import { batchGet } from '../store/batch.ts';
import { ConditionFailed, orElse } from '../store/dynamodb.ts';
import { when, type Change, type Condition } from '../store/expression.ts';
import { openTable, type Key } from '../store/table.ts';
import { updating, type Operation } from '../store/transaction.ts';
import type { Clock, Millis } from '../time.ts';
import { demandRunning, limitReached } from './limit-reached.ts';
import { COUNTED, limitsOf, type CountedLimit, type KeptLimit } from './plans.ts';
import { periodOf } from './period.ts';

/** Who pays: any signed-in user, or what a job knows of one. */
export type Payer = Pick<UserActor, 'userId' | 'orgId' | 'plan'>;

export interface Reservation {
  /** Gives back what was not used after all; the second call does nothing. */
  release(): Promise<void>;
}

/** What was taken, and how much is taken with it. */
export interface Taken extends Reservation {
  readonly used: number;
}

export interface Use {
  readonly limit: CountedLimit;
  readonly used: number;
  readonly size: number | null;
  readonly resetsAt: string | null;
}

/**
 * Counters against a plan, in `accounts`: `TENANT#<tenant> / QUOTA#<limit>#<period>`. A reservation is one conditional
 * update, so it is exact however many ask at once, and costs one round trip that may run beside other work.
 */
export interface Quota {
  /** Takes `amount`, or throws 402/429 having taken nothing. */
  reserve(payer: Payer, limit: CountedLimit, amount?: number): Promise<Taken>;
  /** Counts what was used already, whatever the limit; gives back how much that makes. */
  count(payer: Payer, limit: CountedLimit, amount: number): Promise<number>;
  /** The same as a row of the caller's own transaction, for what is kept: no crash can come between. */
  reserving(payer: Payer, limit: CountedLimit, amount?: number): Operation;
  /** Turns that row's failure into 402/429: `transact([...]).catch(quota.refusal(payer, limit))`. */
  refusal(payer: Payer, limit: CountedLimit): (error: unknown) => never;
  /** What was deleted no longer counts. */
  release(payer: Payer, limit: KeptLimit, amount?: number): Promise<void>;
  releasing(payer: Payer, limit: KeptLimit, amount?: number): Operation;
  /** Every counter of this period in one read. */
  usage(payer: Payer): Promise<Use[]>;
}

const accounts = openTable('accounts');
const KEPT_AFTER_PERIOD = 2 * 86_400_000;

export const createQuota = (clock: Clock): Quota => ({
  async reserve(payer, limit, amount = 1) {
    const now = clock();
    const { key, change, condition } = taking(payer, { limit, amount, now });
    const row = await accounts
      .update(key, change, condition)
      .catch(orElse((failed) => refused({ failed, payer, limit }, now)));
    let isHeld = true;
    return {
      used: countIn(row),
      async release() {
        if (isHeld) await giveBack(key, amount);
        isHeld = false;
      },
    };
  },
  async count(payer, limit, amount) {
    const now = clock();
    const change = { add: { used: amount }, setOnce: { ttl: ttlOf(limit, now) } };
    return countIn(await accounts.update(counterKey(payer, limit, now), change));
  },
  reserving(payer, limit, amount = 1) {
    const { key, change, condition } = taking(payer, { limit, amount, now: clock() });
    return updating(labelOf(limit), accounts, key, { ...change, if: condition });
  },
  refusal: (payer, limit) => (error) => {
    const isOurs = error instanceof ConditionFailed && error.what === labelOf(limit);
    throw isOurs ? refused({ failed: error, payer, limit }, clock()) : error;
  },
  release: (payer, limit, amount = 1) => giveBack(counterKey(payer, limit, clock()), amount),
  releasing: (payer, limit, amount = 1) =>
    updating(labelOf(limit), accounts, counterKey(payer, limit, clock()), { add: { used: -amount } }),
  usage: (payer) => readUsage(payer, clock()),
});

const labelOf = (limit: CountedLimit) => `quota:${limit}`;

const counterKey = (payer: Payer, limit: CountedLimit, now: Millis): Key => ({
  pk: `TENANT#${tenantOf(payer)}`,
  sk: `QUOTA#${limit}#${periodOf(limit, now).id}`,
});

interface Taking {
  readonly key: Key;
  readonly change: Change;
  readonly condition: Condition | undefined;
}

function taking(payer: Payer, want: { limit: CountedLimit; amount: number; now: Millis }): Taking {
  const { limit, amount, now } = want;
  if (!Number.isSafeInteger(amount) || amount < 0) throw new Error(`An amount of ${amount} cannot be reserved`);
  demandRunning(payer.plan, now);
  const size = limitsOf(payer.plan)[limit];
  if (size !== null && amount > size) throw limitReached({ plan: payer.plan, limit, used: 0 }, now);
  return {
    key: counterKey(payer, limit, now),
    change: { add: { used: amount }, setOnce: { ttl: ttlOf(limit, now) } },
    condition:
      size === null ? undefined : when('attribute_not_exists(#used) OR #used <= :room', { room: size - amount }),
  };
}

function ttlOf(limit: CountedLimit, now: Millis): number | undefined {
  const { resetsAt } = periodOf(limit, now);
  return resetsAt === null ? undefined : Math.floor((resetsAt + KEPT_AFTER_PERIOD) / 1000);
}

function refused(
  { failed, payer, limit }: { failed: ConditionFailed; payer: Payer; limit: CountedLimit },
  now: Millis,
) {
  return limitReached({ plan: payer.plan, limit, used: countIn(failed.existing) }, now);
}

/** Never below zero: a count that is already lost must not turn into a present. */
async function giveBack(key: Key, amount: number) {
  const change = { add: { used: -amount } };
  await accounts.update(key, change, when('#used >= :amount', { amount })).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error;
    log.warn('nothing to release', { id: `${key.pk} ${key.sk}` });
  });
}

async function readUsage(payer: Payer, now: Millis): Promise<Use[]> {
  const rows = await batchGet(COUNTED.map((limit) => ({ table: accounts, key: counterKey(payer, limit, now) })));
  const limits = limitsOf(payer.plan);
  return COUNTED.map((limit, at) => {
    const { resetsAt } = periodOf(limit, now);
    const isoReset = resetsAt === null ? null : new Date(resetsAt).toISOString();
    return { limit, used: countIn(rows[at]), size: limits[limit], resetsAt: isoReset };
  });
}

const countIn = (row: Readonly<Record<string, unknown>> | undefined) => Math.max(0, Number(row?.['used'] ?? 0));
