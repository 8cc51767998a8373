import { parseExact } from '../../shared/exact-json.ts';
import type { CronTrigger, Trigger, WebhookTrigger } from '../../shared/triggers/trigger.ts';
import { nextRuns } from './cron.ts';
import type { Refusal, TriggerView } from './records.ts';

export interface Shown {
  readonly svcUrl: string;
  readonly now: number;
  readonly warnings?: readonly string[];
  /** Only when it was just made. */
  readonly secret?: string;
  readonly lastRefusal?: Refusal;
}

const NEXT_RUNS = 5;

/** A trigger as its owner sees it. */
export function triggerView(trigger: Trigger, shown: Shown): TriggerView {
  const common = commonView(trigger, shown);
  switch (trigger.type) {
    case 'event':
      return common;
    case 'cron':
      return { ...common, ...cronView(trigger, shown) };
    case 'webhook':
      return { ...common, ...webhookView(trigger, shown) };
  }
}

const commonView = (trigger: Trigger, { warnings = [] }: Shown) => ({
  id: trigger.id,
  workflow_id: trigger.workflow_id,
  type: trigger.type,
  name: trigger.name,
  enabled: trigger.enabled,
  event_type: trigger.event_type,
  filter_expr: trigger.filter_expr,
  concurrency: trigger.concurrency,
  catalog_id: trigger.catalog_id,
  space_id: trigger.space_id,
  loop_policy: trigger.loop_policy,
  revision: trigger.revision,
  created_by: trigger.created_by,
  created_at: trigger.created_at,
  updated_at: trigger.updated_at,
  warnings: [...warnings],
});

const cronView = (trigger: CronTrigger, { now }: Shown) => ({
  cron: trigger.cron,
  timezone: trigger.timezone,
  input: parseExact(trigger.input),
  overlap: trigger.concurrency === 'parallel' ? ('parallel' as const) : ('skip' as const),
  missed: trigger.missed,
  next_runs: trigger.enabled ? nextRuns(trigger, now, NEXT_RUNS) : [],
});

const webhookView = (trigger: WebhookTrigger, { svcUrl, secret, lastRefusal, now }: Shown) => ({
  hook_id: trigger.hook_id,
  url: `${svcUrl.replace(/\/$/, '')}/api/v1/webhooks/${trigger.hook_id}`,
  style: trigger.style,
  token_header: trigger.token_header,
  secret,
  secret_hint: trigger.secret_hint,
  previous_until: (trigger.previous_until ?? 0) > now ? trigger.previous_until : null,
  payload_expr: trigger.payload_expr,
  correlation_expr: trigger.correlation_expr,
  reply: trigger.reply,
  last_refusal: lastRefusal ?? null,
});
