import { onWrite } from '../store/dynamodb.ts';
import type { Millis } from '../time.ts';
import type { UserActor } from './actor.ts';

/**
 * Whom the tables have confirmed a moment ago. Whatever this process writes about anybody makes it forget them all, so a
 * process that nobody else writes beside need not ask again so soon; others ask while work that can be undone begins.
 */
export interface Acquaintances {
  recall(credential: string, now: Millis): UserActor | undefined;
  /** Call before the tables are asked; what it gives back notes their answer, unless something was written meanwhile. */
  meeting(credential: string, now: Millis): (actor: UserActor) => void;
}

const RECENT_MS = 5000;
const REMEMBERED = 10_000;

export function createAcquaintances(): Acquaintances {
  const met = new Map<string, Meeting>();
  let generation = 0;
  onWrite((request) => {
    if (!isAboutSomebody(request)) return;
    generation += 1;
    met.clear();
  });
  return {
    recall(credential, now) {
      const known = met.get(credential);
      return known && isCurrent(known, now) ? known.actor : undefined;
    },
    meeting(credential, now) {
      const begun = generation;
      return (actor) => {
        if (begun !== generation) return;
        if (met.size >= REMEMBERED) met.clear();
        met.set(credential, { actor, at: now });
      };
    },
  };
}

interface Meeting {
  readonly actor: UserActor;
  readonly at: Millis;
}

const isCurrent = ({ actor: { credentialExpiresAt }, at }: Meeting, now: Millis) =>
  now - at < RECENT_MS && (credentialExpiresAt === null || now < credentialExpiresAt);

/** A write to one row that is not of a person, an organization, a key or a session; of several rows we do not ask. */
function isAboutSomebody(request: object): boolean {
  const key: unknown = Reflect.get(request, 'Key') ?? Reflect.get(request, 'Item');
  const { pk } = (key ?? {}) as { readonly pk?: { readonly S?: string } };
  return pk?.S === undefined || /^(USER|ORG|AK|DENY)#/.test(pk.S);
}
