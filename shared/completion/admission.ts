import type { UserActor } from '../identity/actor.ts';
import type { Quota, Reservation } from '../plans/quota.ts';
import type { Facts, Targets } from './targets.ts';
import type { Target } from './target.ts';

export interface AdmissionParts {
  readonly targets: Targets;
  readonly quota: Pick<Quota, 'reserve'>;
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
}

/**
 * Everything that must hold before a model may see a request, asked at the same time. Of several refusals the first in
 * this order is told, and what was reserved is given back.
 */
export async function admit<Place>(
  { targets, quota }: AdmissionParts,
  applicant: Applicant<Place>,
): Promise<Admission<Place>> {
  const { actor, model, facts, findPlace } = applicant;
  const [place, target, reservation] = await Promise.allSettled([
    findPlace(),
    targets.find(actor, model, facts),
    quota.reserve(actor, 'completions_per_day'),
  ]);
  if (place.status === 'fulfilled' && target.status === 'fulfilled' && reservation.status === 'fulfilled')
    return { place: place.value, target: target.value, reservation: reservation.value };
  if (reservation.status === 'fulfilled') await reservation.value.release();
  throw [place, target, reservation].find((one) => one.status === 'rejected')?.reason;
}
