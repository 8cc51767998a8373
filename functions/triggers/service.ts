import { AppError, notFound } from '../../shared/errors.ts';
import { tenantOf, type UserActor } from '../../shared/identity/actor.ts';
import type { Trigger } from '../../shared/triggers/trigger.ts';
import type { RunContextIds } from '../../shared/workflow/context-reader.ts';
import type { Graph } from '../../shared/workflow/graph.ts';
import type { WorkflowRow } from '../../shared/workflow/workflow-row.ts';
import { cronTrigger, eventTrigger, webhookTrigger } from './building.ts';
import { demandCron } from './cron.ts';
import { checkExpressions } from './checks.ts';
import type { NewCronTrigger, NewEventTrigger, NewWebhookTrigger } from './records.ts';
import type { Schedules } from './schedules.ts';
import { hintOf, newWebhookSecret, type Secrets } from './secrets.ts';
import type { TriggerStore } from './store.ts';

export interface Parts {
  readonly store: TriggerStore;
  readonly schedules: Schedules;
  readonly secrets: Secrets;
  readonly workflow: (tenant: string, workflowId: string) => Promise<WorkflowRow | undefined>;
  readonly liveGraph: (workflow: WorkflowRow) => Promise<Graph | undefined>;
  readonly demandUsable: (actor: UserActor, context: RunContextIds) => Promise<void>;
  readonly now: () => number;
  readonly newId: () => string;
  /** Unguessable: whoever knows a webhook's address may at least try. */
  readonly newHookId: () => string;
}

/** A trigger, with what is only said once. */
export interface Made {
  readonly trigger: Trigger;
  readonly warnings?: readonly string[];
  readonly secret?: string;
}

/** Making what starts a workflow. Everything is checked before anything is written. */
export function createTriggers(parts: Parts) {
  const { store, schedules, secrets, now } = parts;

  return {
    async event(actor: UserActor, workflowId: string, input: NewEventTrigger): Promise<Made> {
      const { workflow, seed } = await begin(parts, actor, { workflowId, context: input });
      const trigger = eventTrigger(seed, input);
      checkExpressions(trigger);
      await store.create(trigger);
      return { trigger, warnings: await loopWarnings(parts, workflow, trigger) };
    },

    /** The schedule first: one without a trigger is removed by its first tick, a trigger without one would never fire. */
    async cron(actor: UserActor, workflowId: string, input: NewCronTrigger): Promise<Made> {
      const { seed } = await begin(parts, actor, { workflowId, context: input });
      const trigger = cronTrigger(seed, input);
      checkExpressions(trigger);
      demandCron(trigger, now());
      await schedules.save(trigger, now());
      await store.create(trigger);
      return { trigger };
    },

    async webhook(actor: UserActor, workflowId: string, input: NewWebhookTrigger): Promise<Made> {
      const { workflow, seed } = await begin(parts, actor, { workflowId, context: input });
      const secret = input.secret ?? newWebhookSecret(input.style);
      const kept = await secrets.keep({ tenant: seed.tenant, id: seed.id, style: input.style }, secret);
      const names = { hook_id: parts.newHookId(), secret: kept, secret_hint: hintOf(secret) };
      const trigger = webhookTrigger(seed, input, names);
      checkExpressions(trigger);
      await store.create(trigger);
      const warnings = await loopWarnings(parts, workflow, trigger);
      return { trigger, warnings, ...(input.secret === undefined && { secret }) };
    },
  };
}

export type Triggers = ReturnType<typeof createTriggers>;

/** The workflow, and what every trigger of it starts with. */
async function begin(
  parts: Parts,
  actor: UserActor,
  { workflowId, context }: { workflowId: string; context: RunContextIds },
) {
  const workflow = await demandPublished(parts, actor, workflowId);
  await parts.demandUsable(actor, context);
  const { tenant, id: workflow_id } = workflow;
  const seed = { tenant, workflow_id, id: `trg_${parts.newId()}`, created_by: actor.userId, now: parts.now() };
  return { workflow, seed };
}

async function demandPublished({ workflow }: Parts, actor: UserActor, workflowId: string): Promise<WorkflowRow> {
  const found = await workflow(tenantOf(actor), workflowId);
  if (!found) throw notFound('Workflow');
  if (!found.live_version || found.archived)
    throw new AppError('workflow_not_published', 'Publish the workflow before you let anything start it');
  return found;
}

/** A workflow that publishes what starts it runs until the loop guard stops it; that is worth a word. */
async function loopWarnings({ liveGraph }: Parts, workflow: WorkflowRow, { event_type }: Trigger): Promise<string[]> {
  const graph = await liveGraph(workflow);
  const emits = graph?.nodes.filter(
    ({ id, kind }) => kind === 'emit_event' && graph.configs[id]?.['event_type'] === event_type,
  );
  return (emits ?? []).map(
    ({ id }) =>
      `The node "${id}" publishes ${event_type} itself: its runs start new runs until the loop guard stops them`,
  );
}
