import { conflict, notFound } from '../../shared/errors.ts';
import type { Pointer } from '../../shared/events/message.ts';
import { derivedEventId } from '../../shared/events/prepare.ts';
import { tenantIn, viewerOf } from '../../shared/events/viewer.ts';
import type { OperatorActor, UserActor } from '../../shared/identity/actor.ts';
import type { Letters } from './letters.ts';
import type { History } from './service.ts';

type Person = UserActor | OperatorActor;

export interface RedeliveryParts {
  readonly history: History;
  readonly letters: Letters;
  readonly send: (pointer: Pointer) => Promise<void>;
  readonly now: () => number;
  readonly newId: () => string;
}

interface Wish {
  readonly subscription_ids?: readonly string[];
  /** Repeating a request with the same key asks for nothing new. */
  readonly key?: string;
}

/** Delivering again what was delivered, and what could not be. */
export const createRedelivery = ({ history, letters, send, now, newId }: RedeliveryParts) => ({
  /** People reach their own triggers only, also with a broadcast. */
  async replay(actor: Person, eventId: string, { subscription_ids, key }: Wish) {
    const viewer = viewerOf(actor);
    const { tenant, event_id, event_type } = await history.demand(viewer, eventId);
    const id = key === undefined ? `r_${newId()}` : `r_${derivedEventId(eventId, key).slice(4)}`;
    const only = subscription_ids === undefined ? null : [...subscription_ids];
    await send({
      tenant,
      event_id,
      event_type,
      replay: { id, tenant: tenantIn(viewer) ?? null, subscription_ids: only },
    });
    return { event_id, replay_id: id };
  },

  deadLetters: (actor: Person, query: Parameters<Letters['list']>[1]) => letters.list(tenantIn(viewerOf(actor)), query),

  /** A broadcast concerns everyone, so only operators redrive it. */
  async redrive(actor: Person, id: string) {
    const letter = await letters.get(id);
    const mine = tenantIn(viewerOf(actor));
    if (!letter || (mine !== undefined && letter.pointer.tenant !== mine)) throw notFound('Dead letter');
    const moved = await letters.move(id, { from: 'dead', to: 'redriven' }, now());
    if (!moved) throw conflict(`This letter is ${letter.state}; only a dead one can be redriven`);
    await send({ ...letter.pointer, again: true });
    return moved;
  },
});

export type Redelivery = ReturnType<typeof createRedelivery>;
