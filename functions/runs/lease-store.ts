import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import { when } from '../../shared/store/expression.ts';
import { openTable } from '../../shared/store/table.ts';
import { checking, transact, updating, type Operation } from '../../shared/store/transaction.ts';
import { runKey, workKey } from '../../shared/workflow/keys.ts';
import { WorkRow } from '../../shared/workflow/run-record.ts';
import { dueAt } from '../../shared/workflow/run-start.ts';
import { LeaseLost, RunCancelled } from './failure.ts';

const table = openTable('workflows');

/** The right to work on a run. Every write of its holder is conditional on the token, so a slow runner that lost it changes nothing. */
export interface Held {
  readonly tenant: string;
  readonly runId: string;
  readonly token: string;
}

/** Clocks differ a little; a message that was delayed until now should not come too early. */
const SLACK_MS = 500;
const CLAIMABLE = '#due_at <= :now OR (attribute_not_exists(#token) AND (#wake = :true OR #due_at <= :soon))';

export interface Claim {
  readonly now: number;
  readonly leaseMs: number;
}

/** The lease, or nothing when somebody else holds the run, when it is not due yet, or when it has ended. */
export async function claimRun({ tenant, runId, token }: Held, { now, leaseMs }: Claim): Promise<WorkRow | undefined> {
  const lease = { set: { token, ...dueAt(runId, now + leaseMs) }, add: { claims: 1 }, remove: ['wake'] };
  const condition = when(`attribute_exists(pk) AND (${CLAIMABLE})`, { now, soon: now + SLACK_MS, true: true });
  try {
    return WorkRow.parse(await table.update(workKey(tenant, runId), lease, condition));
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

const mine = (token: string) => when('#token = :token AND attribute_not_exists(#cancel)', { token });

/** The row of a transaction that makes everything in it depend on still holding the run. */
export const holding = ({ tenant, runId, token }: Held): Operation =>
  checking('work', table, workKey(tenant, runId), mine(token));

/** Keeps the lease; learns whether somebody wants the run to end. */
export async function renewLease({ tenant, runId, token }: Held, until: number): Promise<void> {
  await table.update(workKey(tenant, runId), { set: dueAt(runId, until) }, mine(token)).catch(asLoss);
}

/** A failed condition on the lease means one of two things. */
export function asLoss(error: unknown): never {
  if (!(error instanceof ConditionFailed)) throw error;
  const cancel = error.existing?.['cancel'];
  throw typeof cancel === 'string' ? new RunCancelled(cancel) : new LeaseLost('The run is in other hands');
}

export interface Parked {
  /** When somebody must look again. */
  readonly at: number;
  /** At once, for what is only out of time. */
  readonly wake: boolean;
  readonly status: 'running' | 'waiting';
  readonly reason: string | null;
  readonly startedAt: number | null;
  /** After a failure of our own the claims go on counting. */
  readonly keepsClaims?: boolean;
}

/** Lets go of the run. False when something happened meanwhile that should be looked at first. */
export async function parkRun(held: Held, parked: Parked): Promise<boolean> {
  const { tenant, runId, token } = held;
  const due = dueAt(runId, parked.at);
  const set = { ...due, ...(parked.wake && { wake: true }), ...(!parked.keepsClaims && { claims: 0 }) };
  const free = when('#token = :token AND attribute_not_exists(#cancel) AND attribute_not_exists(#wake)', { token });
  try {
    await transact([
      updating('work', table, workKey(tenant, runId), { set, remove: ['token'], if: free }),
      standing(held, parked),
    ]);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailed) || error.what !== 'work') throw error;
    const { token: holder, cancel, wake } = error.existing ?? {};
    if (holder !== token) throw new LeaseLost('The run is in other hands');
    if (typeof cancel === 'string') throw new RunCancelled(cancel);
    if (wake === true) return false;
    throw error;
  }
}

/** What people see of a run that goes on. Short runs end before anyone could look, and never write it. */
export const standing = (
  { tenant, runId }: Held,
  { status, reason, startedAt }: Pick<Parked, 'status' | 'reason' | 'startedAt'>,
) =>
  updating('run', table, runKey(tenant, runId), {
    set: { status, status_reason: reason },
    setOnce: { started_at: startedAt ?? undefined },
  });

/** Takes note of what woke the run, before looking at it. */
export async function clearWake({ tenant, runId, token }: Held): Promise<void> {
  await table.update(workKey(tenant, runId), { remove: ['wake'] }, mine(token)).catch(asLoss);
}
