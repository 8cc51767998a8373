import { EventRow } from '../../shared/events/event.ts';
import { eventKey, indexKeys } from '../../shared/events/keys.ts';
import { newId } from '../../shared/ids.ts';
import type { Key, Row } from '../../shared/store/table.ts';
import { keyOfTrigger, subscriptionKey } from '../../shared/triggers/keys.ts';
import { workflowKey } from '../../shared/workflow/keys.ts';
import { createPost, EVENT_KEY, EVENT_TYPE, type BenchHost, type Subscription } from './workflows-host.ts';

const LOAD_MS = 180_000;
const PER_WORKFLOW = 100;
const OTHER_TYPES = 500;
const OTHER_TENANTS = 50;
const DAY_MS = 86_400_000;
const OLDEST_MS = 30 * DAY_MS;

export interface Stored {
  readonly subscriptions: number;
  readonly events: number;
}

/** Fills a host with copies of what its API has written, and answers what it holds then. */
export async function fill(host: BenchHost, { subscriptions, events }: Stored): Promise<Stored> {
  const { engine, matching } = host;
  const deadline = Date.now() + LOAD_MS;
  const templates = await templatesOf(host);
  const others = subscriptions - matching.length;
  await engine.load('workflows', otherSubscriptions(templates, others), deadline);
  const template = await anEvent(host);
  const loaded = await engine.load('events', olderEvents(template, events), deadline);
  return { subscriptions, events: loaded };
}

interface Templates {
  readonly one: Subscription;
  readonly workflow: Row;
  readonly trigger: Row;
  readonly pointer: Row;
}

async function templatesOf({ engine, matching }: BenchHost): Promise<Templates> {
  const [one] = matching;
  if (!one) throw new Error('The host has no subscription to copy');
  const keys = [
    workflowKey(one.tenant, one.workflow_id),
    keyOfTrigger(one),
    subscriptionKey({ ...one, event_type: EVENT_TYPE }),
  ];
  const rows = await engine.read('workflows', keys);
  const [workflow, trigger, pointer] = keys.map(({ pk, sk }) =>
    rows.find((row) => row['pk'] === pk && row['sk'] === sk),
  );
  if (!workflow || !trigger || !pointer)
    throw new Error('A subscription is stored in other rows than this bench copies');
  return { one, workflow, trigger, pointer };
}

/** Of other event types whose names begin alike; half of the same tenant, half of many others. */
function* otherSubscriptions({ one, workflow, trigger, pointer }: Templates, count: number): Generator<Row & Key> {
  const { tenant, workflow_id, id } = one;
  let place = new Map<string, string>();
  for (let n = 0; n < count; n += 1) {
    if (n % PER_WORKFLOW === 0) {
      const owner = (n / PER_WORKFLOW) % 2 === 0 ? tenant : `user:bench-${(n / PER_WORKFLOW) % OTHER_TENANTS}`;
      place = new Map([
        [tenant, owner],
        [workflow_id, newId()],
      ]);
      yield copyOf(workflow, place);
    }
    const own = new Map([...place, [id, newId()], [EVENT_TYPE, `${EVENT_TYPE}_${n % OTHER_TYPES}`]]);
    yield copyOf(trigger, own);
    yield copyOf(pointer, own);
  }
}

/** The same row with other names in it, its keys included. */
function copyOf(row: Row, names: ReadonlyMap<string, string>): Row & Key {
  let text = JSON.stringify(row);
  for (const [from, to] of names) text = text.replaceAll(from, to);
  return JSON.parse(text) as Row & Key;
}

async function anEvent({ url, engine }: BenchHost): Promise<Row> {
  const event = {
    event_type: `${EVENT_TYPE}_stored`,
    source: 'bench',
    correlation_id: 'bench',
    payload: { amount: 12 },
  };
  const { event_id = '' } = await createPost(url)('/api/v1/events/ingest', event, EVENT_KEY);
  const [row] = await engine.read('events', [eventKey(event_id)]);
  if (!row) throw new Error('An event is stored in another row than this bench copies');
  return row;
}

/** Of the measured type, so that they stand in the same lists; old enough for the sweeper to have been there. */
function* olderEvents(template: Row, count: number): Generator<Row & Key> {
  const now = Date.now();
  const stored = EventRow.parse(template);
  for (let n = 0; n < count; n += 1) {
    const event_id = `evt_${newId()}`;
    const published_at = now - DAY_MS - Math.floor((n / count) * OLDEST_MS);
    const correlation_id = `bench-${n % 1000}`;
    const changed = { event_id, root_event_id: event_id, event_type: EVENT_TYPE, correlation_id, published_at };
    const event = { ...stored, ...changed, nonce: newId() };
    yield { ...template, ...event, ...eventKey(event_id), ...indexKeys(event) };
  }
}
