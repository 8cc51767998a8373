import * as z from 'zod';
import {
  deliveriesOfEvent,
  deliveriesToTenant,
  Delivery,
  deliveryRow,
  type DeliveryId,
  deliveryKey,
} from '../../shared/events/delivery.ts';
import { typeKey } from '../../shared/events/keys.ts';
import { batchGet } from '../../shared/store/batch.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import { absent } from '../../shared/store/expression.ts';
import { openTable } from '../../shared/store/table.ts';
import type { CursorPage, CursorPaging } from '../../shared/workflow/cursor-page.ts';

/**
 * `workflows`: DELIVERY#event / SUB#tenant#trigger[#replay] what became of it there, / DONE when all were looked at;
 * SWEEP / EVENTS how far the sweeper has looked.
 * `events`: TYPES#tenant / type.
 */
const workflows = openTable('workflows');
const events = openTable('events');

const KEPT_DAYS = 30;

export interface DeliveryStore {
  get(id: DeliveryId): Promise<Delivery | undefined>;
  /** False when there is one already: an outcome is final. */
  put(delivery: Delivery): Promise<boolean>;
  ofEvent(eventId: string, tenant: string | undefined, paging: CursorPaging): Promise<CursorPage<Delivery>>;
  /** Every subscription of this event has been looked at. */
  markDone(eventId: string, now: number): Promise<void>;
  doneAt(eventId: string): Promise<number | undefined>;
}

const doneKey = (eventId: string) => ({ pk: deliveriesOfEvent(eventId), sk: 'DONE' });

export async function areDone(eventIds: readonly string[]): Promise<boolean[]> {
  const rows = await batchGet(eventIds.map((id) => ({ table: workflows, key: doneKey(id) })));
  return rows.map((row) => row !== undefined);
}

const SWEEP_KEY = { pk: 'SWEEP', sk: 'EVENTS' };

/** How far the sweeper has looked. */
export const createSweepMark = () => ({
  async read() {
    const row = await workflows.get(SWEEP_KEY);
    return row && z.string().parse(row['position']);
  },
  write: (position: string) => workflows.put({ ...SWEEP_KEY, position }),
});

export const createDeliveryStore = (): DeliveryStore => ({
  async get(id) {
    const row = await workflows.get(deliveryKey(id));
    return row && Delivery.parse(row);
  },
  put: (delivery) => putIfAbsent(() => workflows.put(deliveryRow(delivery), absent)),
  async ofEvent(eventId, tenant, paging) {
    const prefix = tenant === undefined ? 'SUB#' : deliveriesToTenant(tenant);
    const { rows, cursor } = await workflows.query({ pk: deliveriesOfEvent(eventId), prefix, ...paging });
    return { data: rows.map((row) => Delivery.parse(row)), next_cursor: cursor ?? null };
  },
  async markDone(eventId, now) {
    const ttl = Math.floor(now / 1000) + KEPT_DAYS * 86_400;
    await putIfAbsent(() => workflows.put({ ...doneKey(eventId), done_at: now, ttl }, absent));
  },
  async doneAt(eventId) {
    const row = await workflows.get(doneKey(eventId));
    return row && z.number().parse(row['done_at']);
  },
});

const SeenType = z.object({ sk: z.string(), first_seen_at: z.int() });

export interface TypeStore {
  remember(tenant: string, eventType: string, now: number): Promise<void>;
  list(tenant: string): Promise<{ event_type: string; first_seen_at: number }[]>;
}

const MOST_TYPES = 1000;

export function createTypeStore(): TypeStore {
  const known = new Set<string>();
  return {
    async remember(tenant, eventType, now) {
      const name = `${tenant} ${eventType}`;
      if (known.has(name)) return;
      await putIfAbsent(() => events.put({ ...typeKey(tenant, eventType), first_seen_at: now }, absent));
      if (known.size >= MOST_TYPES) known.clear();
      known.add(name);
    },
    async list(tenant) {
      const { rows } = await events.query({ pk: typeKey(tenant, '').pk, limit: MOST_TYPES });
      return rows.map((row) => {
        const { sk, first_seen_at } = SeenType.parse(row);
        return { event_type: sk, first_seen_at };
      });
    },
  };
}

async function putIfAbsent(put: () => Promise<void>): Promise<boolean> {
  try {
    await put();
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
