import { tenantOf, type OperatorActor, type UserActor } from '../identity/actor.ts';
import { BROADCAST, type EventRow } from './event.ts';
import { correlationFeed, everythingFeed, tenantFeed, typeFeed, type Feed } from './keys.ts';

/** Whose events somebody sees: broadcasts and their own tenant's; operators see all. */
export type Viewer = { readonly kind: 'all' } | { readonly kind: 'tenant'; readonly tenant: string };

export const viewerOf = (actor: UserActor | OperatorActor): Viewer =>
  actor.kind === 'platform' ? { kind: 'all' } : { kind: 'tenant', tenant: tenantOf(actor) };

/** Undefined for those who see every tenant. */
export const tenantIn = (viewer: Viewer) => (viewer.kind === 'all' ? undefined : viewer.tenant);

export const maySee = (viewer: Viewer, { tenant }: Pick<EventRow, 'tenant'>) =>
  viewer.kind === 'all' || tenant === BROADCAST || tenant === viewer.tenant;

export interface EventFilter {
  readonly event_type?: string;
  readonly correlation_id?: string;
  readonly source?: string;
}

/** The lists that hold all of what is asked for and as little else as possible. */
export function feedsFor(viewer: Viewer, { event_type, correlation_id }: EventFilter): readonly Feed[] {
  if (viewer.kind === 'all') return [everythingFeed()];
  return [viewer.tenant, BROADCAST].map((tenant) => {
    if (correlation_id !== undefined) return correlationFeed(tenant, correlation_id);
    return event_type === undefined ? tenantFeed(tenant) : typeFeed(tenant, event_type);
  });
}

/** What the lists could not already decide. */
export const passes = (event: EventRow, { event_type, correlation_id, source }: EventFilter) =>
  (event_type === undefined || event.event_type === event_type) &&
  (correlation_id === undefined || event.correlation_id === correlation_id) &&
  (source === undefined || event.source === source);
