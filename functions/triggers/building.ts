import { invalid } from '../../shared/errors.ts';
import type { CronTrigger, EventTrigger, Trigger, WebhookTrigger } from '../../shared/triggers/trigger.ts';
import type { NewCronTrigger, NewEventTrigger, NewWebhookTrigger, TriggerChange } from './records.ts';

/** What a new trigger has before anybody says anything. */
export interface Seed {
  readonly tenant: string;
  readonly workflow_id: string;
  readonly id: string;
  readonly created_by: string;
  readonly now: number;
}

const beginnings = ({ tenant, workflow_id, id, created_by, now }: Seed) => ({
  tenant,
  workflow_id,
  id,
  created_by,
  revision: 1,
  created_at: now,
  updated_at: now,
});

export const eventTrigger = (seed: Seed, input: NewEventTrigger): EventTrigger => ({
  ...beginnings(seed),
  type: 'event',
  ...input,
});

export const cronTrigger = (seed: Seed, { overlap, input, ...fields }: NewCronTrigger): CronTrigger => ({
  ...beginnings(seed),
  type: 'cron',
  ...fields,
  concurrency: concurrencyFor(overlap),
  input: JSON.stringify(input ?? null),
});

export const webhookTrigger = (
  seed: Seed,
  { secret: _shown, ...fields }: NewWebhookTrigger,
  kept: Pick<WebhookTrigger, 'hook_id' | 'secret' | 'secret_hint'>,
): WebhookTrigger => ({
  ...beginnings(seed),
  type: 'webhook',
  ...fields,
  ...kept,
  previous_secret: null,
  previous_until: null,
});

export const concurrencyFor = (overlap: 'parallel' | 'skip') =>
  overlap === 'skip' ? ('one_per_correlation' as const) : ('parallel' as const);

const COMMON = ['name', 'enabled', 'event_type', 'filter_expr', 'catalog_id', 'space_id', 'loop_policy'] as const;
const CHANGEABLE: Record<Trigger['type'], readonly (keyof TriggerChange)[]> = {
  event: [...COMMON, 'concurrency'],
  cron: [...COMMON, 'cron', 'timezone', 'input', 'overlap', 'missed'],
  webhook: [...COMMON, 'concurrency', 'payload_expr', 'correlation_expr', 'reply'],
};

/** The trigger after a change; fields that its kind does not have are refused (422). */
export function changed(before: Trigger, change: TriggerChange, now: number): Trigger {
  const given = Object.keys(change) as (keyof TriggerChange)[];
  const foreign = given.filter((field) => change[field] !== undefined && !CHANGEABLE[before.type].includes(field));
  if (foreign.length > 0)
    throw invalid(
      foreign.map((field) => ({
        type: 'extra',
        loc: ['body', field],
        msg: `A ${before.type} trigger has no ${field}`,
      })),
    );
  const { cron, timezone, input, overlap, missed, payload_expr, correlation_expr, reply, ...common } = change;
  const base = { ...common, revision: before.revision + 1, updated_at: now };
  switch (before.type) {
    case 'event':
      return { ...before, ...defined(base) };
    case 'cron':
      return {
        ...before,
        ...defined({ ...base, cron, timezone, missed }),
        ...(overlap !== undefined && { concurrency: concurrencyFor(overlap) }),
        ...(input !== undefined && { input: JSON.stringify(input) }),
      };
    case 'webhook':
      return { ...before, ...defined({ ...base, payload_expr, correlation_expr, reply }) };
  }
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
const defined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
