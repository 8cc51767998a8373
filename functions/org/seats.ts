import { AppError } from '../../shared/errors.ts';
import { limitReached } from '../../shared/plans/limit-reached.ts';
import type { PlanGrant } from '../../shared/plans/plans.ts';
import type { ConditionFailed } from '../../shared/store/dynamodb.ts';
import type { Millis } from '../../shared/time.ts';

/** Runs work that takes a seat. */
export type WithSeats = <T>(orgId: string, work: () => Promise<T>) => Promise<T>;

/**
 * Invitations that expired hold their seats until somebody needs them: only then is it worth looking for them, and the
 * work is tried once more.
 */
export const createWithSeats =
  (sweepExpired: (orgId: string) => Promise<number>): WithSeats =>
  async (orgId, work) => {
    try {
      return await work();
    } catch (error) {
      if (!isOutOfSeats(error) || (await sweepExpired(orgId)) === 0) throw error;
      return work();
    }
  };

export const seatsGone = (plan: PlanGrant, failed: ConditionFailed, now: Millis) =>
  limitReached({ plan, limit: 'seats', used: Number(failed.existing?.['seatsTaken'] ?? 0) }, now);

const isOutOfSeats = (error: unknown) =>
  error instanceof AppError && error.code === 'plan_limit_reached' && error.facts['limit'] === 'seats';
