import { isDeepStrictEqual } from 'node:util';
import { CONFIRMED, Mistaken, type Authenticate } from '../http/api.ts';
import type { Settings } from '../settings/variables.ts';
import { isSoleWriter } from '../store/sole-writer.ts';
import type { Clock } from '../time.ts';
import { createAcquaintances, type Acquaintances } from './acquaintances.ts';
import type { Actor } from './actor.ts';
import { credentialOf } from './credential.ts';
import { demandRoute, keyHashOf, type KeySettings } from './key-use.ts';

export interface PresumeParts {
  readonly settings: KeySettings & Pick<Settings, 'CUSTOM_API_KEY_HEADER'>;
  readonly now: Clock;
}

type Presume = NonNullable<Authenticate['presume']>;

/**
 * Begins with whom a key belonged to a moment ago and asks the tables meanwhile. Only keys are presumed: programs use
 * them, one request after the other, and wait for every one.
 */
export function createPresume(authenticate: Authenticate, { settings, now }: PresumeParts): Presume {
  let met: Acquaintances | undefined;
  return async (request, access, connection) => {
    const credential = credentialOf(request.headers, settings.CUSTOM_API_KEY_HEADER);
    if (credential?.kind !== 'key')
      return { actor: await authenticate(request, access, connection), confirmed: CONFIRMED };
    const hash = keyHashOf(request, credential.value);
    // Only families with eager routes watch what is written.
    const acquaintances = (met ??= createAcquaintances());
    const known = acquaintances.recall(hash, now());
    const ask = async () => {
      const meet = acquaintances.meeting(hash, now());
      const actor = await authenticate(request, access, connection);
      if (actor?.kind === 'user') meet(actor);
      return actor;
    };
    if (!known) return { actor: await ask(), confirmed: CONFIRMED };
    demandRoute(known, request, settings);
    return { actor: known, confirmed: isSoleWriter() ? CONFIRMED : confirming(known, ask()) };
  };
}

function confirming(known: Actor, asking: Promise<Actor | undefined>): Promise<void> {
  const confirmed = asking.then((actor) => {
    if (!isDeepStrictEqual(actor, known)) throw new Mistaken(actor ?? known);
  });
  confirmed.catch(() => {}); // heard of by whoever waits for it
  return confirmed;
}
