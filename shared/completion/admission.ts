import type { Connection } from '../http/route.ts';
import type { UserActor } from '../identity/actor.ts';
import { hasEnded, limitsOf } from '../plans/plans.ts';
import type { Quota, Reservation } from '../plans/quota.ts';
import type { Facts, Targets } from './targets.ts';
import type { Clock } from '../time.ts';
import type { Tally } from './tally.ts';
import type { Target } from './target.ts';

export const LIMIT = 'completions_per_day';

export interface AdmissionParts {
  readonly targets: Targets;
  readonly quota: Pick<Quota, 'reserve'>;
  /** Counts those whom no quota can refuse. */
  readonly tally: Tally;
  readonly now: Clock;
}

export interface Admission<Place> {
  readonly target: Target;
  readonly place: Place;
  readonly reservation: Reservation;
}

export interface Applicant<Place> {
  readonly actor: UserActor;
  readonly model: string;
  /** For the headers of the model's connection. */
  readonly facts?: Facts;
  /** Where the reply belongs, when it belongs somewhere. */
  readonly findPlace: () => Promise<Place>;
  readonly waitUntil: Connection['waitUntil'];
}

/**
 * Everything that must hold before a model may see a request, asked at the same time. Of several refusals the first in
 * this order is told, and what was reserved is given back.
 */
export async function admit<Place>(parts: AdmissionParts, applicant: Applicant<Place>): Promise<Admission<Place>> {
  const { actor, model, facts, findPlace } = applicant;
  const [place, target, reservation] = await Promise.allSettled([
    findPlace(),
    parts.targets.find(actor, model, facts),
    reserve(parts, applicant),
  ]);
  if (place.status === 'fulfilled' && target.status === 'fulfilled' && reservation.status === 'fulfilled')
    return { place: place.value, target: target.value, reservation: reservation.value };
  if (reservation.status === 'fulfilled') await reservation.value.release();
  throw [place, target, reservation].find((one) => one.status === 'rejected')?.reason;
}

/** Whoever may ask without end, or is known to be far from it, is only counted and need not wait for that. */
async function reserve({ quota, tally, now }: AdmissionParts, { actor, waitUntil }: Applicant<unknown>) {
  const page = tally.of(actor);
  if (hasEnded(actor.plan, now()) || mayBeRefused(limitsOf(actor.plan)[LIMIT], page.used())) {
    await page.written();
    const taken = await quota.reserve(actor, LIMIT);
    page.heard(taken.used);
    return taken;
  }
  const mark = tally.add(actor);
  waitUntil(mark.counted);
  return mark;
}

/** Room for what this process has taken by other ways in the last seconds. */
const roomBeyond = (size: number) => Math.max(20, size / 10);

/** Near the end of a limit every use is reserved. */
const mayBeRefused = (size: number | null, used: number | undefined) =>
  size !== null && (used === undefined || used >= size - roomBeyond(size));
