import type { Outcome } from '../../shared/events/delivery.ts';
import type { EventRow } from '../../shared/events/event.ts';
import type { FilterOutcome } from '../../shared/events/filter.ts';
import type { Trigger } from '../../shared/triggers/trigger.ts';
import type { LiveVersion, WorkflowRow } from '../../shared/workflow/workflow-row.ts';

export type Decision =
  /** The trigger came after the event: it never waited for it. */
  | { readonly kind: 'ignore' }
  | { readonly kind: 'skip'; readonly outcome: Exclude<Outcome, 'started'>; readonly reason: string }
  | { readonly kind: 'start'; readonly live: LiveVersion };

export interface Considered {
  readonly event: Pick<EventRow, 'published_at' | 'depth' | 'chain' | 'trigger'>;
  readonly trigger: Trigger;
  readonly workflow: WorkflowRow;
  /** Somebody asked for this delivery, so it does not matter when the trigger was made. */
  readonly isReplay: boolean;
}

/** Publishers' clocks differ by some milliseconds; who subscribes and then publishes must not be told that it was earlier. */
const CLOCK_SLACK_MS = 1000;
/** A schedule that fires later than this has missed its time. */
export const MISSED_AFTER_MS = 5 * 60_000;

/** What an event means for one trigger. The filter is asked last, because it costs most. */
export function decide(considered: Considered, runFilter: (source: string) => FilterOutcome): Decision {
  const { event, trigger, workflow, isReplay } = considered;
  if (!isReplay && trigger.created_at > event.published_at + CLOCK_SLACK_MS) return { kind: 'ignore' };
  const live = workflow.live_version;
  if (!live) return skip('not_published', 'The workflow has no published version');
  if (workflow.archived) return skip('paused', 'The workflow is archived');
  if (workflow.paused) return skip('paused', 'The workflow is paused');
  if (!trigger.enabled) return skip('paused', 'The trigger is paused');
  const problem = missed(considered) ?? loop(considered) ?? filtered(trigger, runFilter);
  return problem ?? { kind: 'start', live };
}

const skip = (outcome: Exclude<Outcome, 'started'>, reason: string): Decision => ({ kind: 'skip', outcome, reason });

function missed({ event, trigger, isReplay }: Considered): Decision | undefined {
  const scheduledFor = event.trigger?.scheduled_for ?? null;
  if (isReplay || trigger.type !== 'cron' || trigger.missed === 'run_once' || scheduledFor === null) return undefined;
  const late = event.published_at - scheduledFor;
  if (late <= MISSED_AFTER_MS) return undefined;
  return skip('skipped_missed', `The schedule fired ${Math.round(late / 1000)} seconds late`);
}

function loop({ event, trigger, workflow }: Considered): Decision | undefined {
  if (event.depth === 0 || trigger.loop_policy === 'bounded') return undefined;
  if (trigger.loop_policy === 'external_only')
    return skip('skipped_loop', 'The trigger takes events from outside only; a run published this one');
  if (event.chain.includes(workflow.id))
    return skip('skipped_loop', 'A run of this workflow is among those that led to this event');
  return undefined;
}

function filtered({ filter_expr }: Trigger, runFilter: (source: string) => FilterOutcome): Decision | undefined {
  if (filter_expr === null) return undefined;
  const result = runFilter(filter_expr);
  if (result.kind === 'error') return skip('filter_error', result.message);
  return result.isTrue ? undefined : skip('skipped_filter', 'The filter was false');
}
