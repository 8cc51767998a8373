import { tooMany } from '../errors.ts';
import { createPepper } from '../identity/pepper.ts';
import type { Settings } from '../settings/variables.ts';
import { ConditionFailed } from '../store/dynamodb.ts';
import { when } from '../store/expression.ts';
import { openTable, type Key, type Row } from '../store/table.ts';
import type { Clock, Millis } from '../time.ts';

/** How much of one thing is allowed in one stretch of time. */
export interface Rule {
  readonly kind: string;
  readonly limit: number;
  readonly windowMs: number;
  /** A window that was used up doubles the next one, up to this. */
  readonly longestMs?: number;
}

export interface Taken {
  /** Gives this one back: it turned out not to be what the rule counts. */
  refund(): Promise<void>;
}

/**
 * Counters in `accounts`: `THR#<kind>#<keyed hash of the subject> / W`. A try is counted by one conditional write
 * before it is made, so no number of parallel requests gets past a limit.
 */
export interface Throttle {
  /** Counts one try, or throws 429 with the time to wait. */
  take(rule: Rule, subject: string): Promise<Taken>;
  clear(kind: string, subject: string): Promise<void>;
}

const accounts = openTable('accounts');
const REMEMBERED_MS = 86_400_000;

export function createThrottle(settings: Pick<Settings, 'SVC_SECRET_KEY' | 'JWT_SECRET'>, now: Clock): Throttle {
  const pepper = createPepper(settings, 'throttle');
  const keyOf = (kind: string, subject: string): Key => ({ pk: `THR#${kind}#${pepper(subject)}`, sk: 'W' });
  return {
    async take(rule, subject) {
      const key = keyOf(rule.kind, subject);
      const endsAt = await count(key, rule, now);
      return { refund: () => giveBack(key, endsAt) };
    },
    async clear(kind, subject) {
      await accounts.delete(keyOf(kind, subject));
    },
  };
}

const TRIES = 5;

/** The end of the window that now holds this try. */
async function count(key: Key, rule: Rule, now: Clock): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const at = now();
    const outcome = await countInWindow(key, rule, at);
    if (typeof outcome === 'number') return outcome;
    const { endsAt, used } = windowIn(outcome.existing);
    if (endsAt > at && used >= rule.limit) throw tooMany('Too many tries; wait a little', (endsAt - at) / 1000);
    const started = await startWindow(key, rule, { at, existing: outcome.existing });
    if (started !== undefined) return started;
    if (attempt === TRIES) throw tooMany('Too many tries at once; wait a little', 1);
  }
}

async function countInWindow(key: Key, { limit }: Rule, at: Millis): Promise<number | ConditionFailed> {
  try {
    const room = when('#endsAt > :now AND #used < :limit', { now: at, limit });
    return windowIn(await accounts.update(key, { add: { used: 1 } }, room)).endsAt;
  } catch (error) {
    if (error instanceof ConditionFailed) return error;
    throw error;
  }
}

interface Start {
  readonly at: Millis;
  readonly existing: Row | undefined;
}

/** Nothing when somebody else has just started it. */
async function startWindow(key: Key, rule: Rule, { at, existing }: Start): Promise<number | undefined> {
  const before = windowIn(existing);
  const strikes =
    rule.longestMs && before.used >= rule.limit && at - before.endsAt < REMEMBERED_MS ? before.strikes + 1 : 0;
  const length = Math.min(rule.windowMs * 2 ** strikes, Math.max(rule.longestMs ?? 0, rule.windowMs));
  const endsAt = at + length;
  const ttl = Math.ceil((endsAt + REMEMBERED_MS) / 1000);
  const isOver = when('attribute_not_exists(pk) OR #endsAt <= :now', { now: at });
  try {
    await accounts.put({ ...key, used: 1, endsAt, strikes, ttl }, isOver);
    return endsAt;
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

const windowIn = (row: Row | undefined) => ({
  endsAt: Number(row?.['endsAt'] ?? 0),
  used: Number(row?.['used'] ?? 0),
  strikes: Number(row?.['strikes'] ?? 0),
});

async function giveBack(key: Key, endsAt: number) {
  const isSameWindow = when('#endsAt = :endsAt AND #used > :none', { endsAt, none: 0 });
  await accounts.update(key, { add: { used: -1 } }, isSameWindow).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error;
  });
}
