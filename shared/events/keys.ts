import { sortableTime } from '../workflow/keys.ts';
import { sha256 } from '../workflow/canonical.ts';
import { BROADCAST, type EventRow } from './event.ts';

/**
 * Rows of the table `events`, which is only ever added to.
 *
 * | pk           | sk   | what                                                             |
 * |--------------|------|------------------------------------------------------------------|
 * | EVENT#event  | E    | the event; its four indexes hold keys only                        |
 * | TYPES#tenant | type | an event type that this tenant has seen                           |
 *
 * | index | partition                      | lists, by time                                             |
 * |-------|--------------------------------|------------------------------------------------------------|
 * | gsi1  | FEED#tenant[#shard]            | what a tenant sees                                          |
 * | gsi2  | CORR#tenant#hash               | one process                                                 |
 * | gsi3  | TYPE#tenant#type[#shard]       | one event type                                              |
 * | gsi4  | ALL#shard                      | everything, for operators and the sweeper                   |
 *
 * A list reads from the newest key on, so its cost does not grow with the partition. What could grow too hot is the
 * writing end of a partition that many publishers share; those are spread over shards and merged by the reader.
 */

const SHARDS = 4;

export const eventKey = (eventId: string) => ({ pk: `EVENT#${eventId}`, sk: 'E' });
export const typeKey = (tenant: string, eventType: string) => ({ pk: `TYPES#${tenant}`, sk: eventType });

/** Where an event stands in every list: by time, then by id. */
export const positionOf = ({ published_at, event_id }: Pick<EventRow, 'published_at' | 'event_id'>) =>
  `${sortableTime(published_at)}#${event_id}`;

export const eventIdAt = (position: string) => position.slice(position.indexOf('#') + 1);
export const timeAt = (position: string) => Number(position.slice(0, position.indexOf('#')));

/** One list: an index and the partitions that together make it up. */
export interface Feed {
  readonly index: 'gsi1' | 'gsi2' | 'gsi3' | 'gsi4';
  readonly partitions: readonly string[];
}

export const tenantFeed = (tenant: string): Feed => ({
  index: 'gsi1',
  partitions: spread(tenant, `FEED#${tenant}`),
});
export const typeFeed = (tenant: string, eventType: string): Feed => ({
  index: 'gsi3',
  partitions: spread(tenant, `TYPE#${tenant}#${eventType}`),
});
export const correlationFeed = (tenant: string, correlationId: string): Feed => ({
  index: 'gsi2',
  partitions: [`CORR#${tenant}#${sha256(correlationId)}`],
});
export const everythingFeed = (): Feed => ({ index: 'gsi4', partitions: shardsOf('ALL') });

const shardsOf = (name: string) => Array.from({ length: SHARDS }, (_, shard) => `${name}#${shard}`);

/** One tenant's events are few enough for one partition; broadcasts come from everywhere. */
const spread = (tenant: string, name: string) => (tenant === BROADCAST ? shardsOf(name) : [name]);

type Indexed = Pick<EventRow, 'tenant' | 'event_id' | 'event_type' | 'correlation_id' | 'published_at'>;

export function indexKeys(event: Indexed) {
  const { tenant, event_id, event_type, correlation_id } = event;
  const at = positionOf(event);
  const mine = ({ partitions }: Feed) => partitions[shardOf(event_id) % partitions.length];
  return {
    gsi1pk: mine(tenantFeed(tenant)),
    gsi1sk: at,
    gsi2pk: mine(correlationFeed(tenant, correlation_id)),
    gsi2sk: at,
    gsi3pk: mine(typeFeed(tenant, event_type)),
    gsi3sk: at,
    gsi4pk: mine(everythingFeed()),
    gsi4sk: at,
  };
}

const shardOf = (eventId: string) => Number.parseInt(sha256(eventId).slice(0, 8), 16);
