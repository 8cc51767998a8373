import { AppError, tooMany } from '../errors.ts';
import type { Millis } from '../time.ts';
import { isRate, periodOf } from './period.ts';
import { hasEnded, limitsOf, PLANS, type LimitName, type PlanGrant } from './plans.ts';

/** The refusal names the limit, its size, what is used of it and when it starts again. */
export function limitReached(
  { plan, limit, used }: { readonly plan: PlanGrant; readonly limit: LimitName; readonly used: number },
  now: Millis,
): AppError {
  const resetsAt = limit === 'seats' ? null : periodOf(limit, now).resetsAt;
  const facts = {
    limit,
    plan: plan.id,
    size: limitsOf(plan)[limit],
    used,
    resetsAt: resetsAt === null ? null : new Date(resetsAt).toISOString(),
  };
  const message = `The ${PLANS[plan.id].name} plan does not allow more: ${limit} is ${facts.size}`;
  if (limit !== 'seats' && isRate(limit) && resetsAt !== null) return tooMany(message, (resetsAt - now) / 1000, facts);
  return new AppError('plan_limit_reached', message, { facts });
}

/** After its end a trial still reads, signs in and exports; it only takes nothing new. */
export function demandRunning(plan: PlanGrant, now: Millis) {
  if (!hasEnded(plan, now)) return;
  const endedAt = new Date(plan.trialEndsAt ?? now).toISOString();
  throw new AppError('plan_limit_reached', `The trial ended on ${endedAt.slice(0, 10)}`, {
    facts: { limit: 'trial', plan: plan.id, size: null, used: null, resetsAt: null, endedAt },
  });
}
