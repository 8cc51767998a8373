import { causedByRun, MAX_EMITS_PER_RUN } from '../../shared/events/loop.ts';
import { derivedEventId } from '../../shared/events/prepare.ts';
import type { Operation } from '../../shared/store/transaction.ts';
import { NodeFailure } from './failure.ts';
import type { Session } from './session.ts';

export interface Emitted {
  readonly event_id: string;
  readonly operation: Operation;
}

interface Emission {
  readonly event_type: string;
  readonly payload: unknown;
  readonly correlation_id: string | undefined;
  /** Which call of which step: with the run, all that the event's id is made of. */
  readonly stepId: string;
  readonly call: string;
}

/** The row that publishes an event of a run, for the transaction that commits what led to it. */
export async function emitEvent(session: Session, emission: Emission): Promise<Emitted> {
  const { run, ports, emitted } = session;
  const event_id = derivedEventId(run.run_id, emission.stepId, emission.call);
  if (!emitted.has(event_id) && emitted.size >= MAX_EMITS_PER_RUN)
    throw new NodeFailure('too_many_events', `A run publishes at most ${MAX_EMITS_PER_RUN} events`);
  // Counted before anything is waited for, so that branches side by side cannot slip past the limit together.
  emitted.add(event_id);
  try {
    const { operation } = await ports.events.appending('event', {
      tenant: run.tenant,
      event_type: emission.event_type,
      source: `workflow:${run.workflow_id}`,
      user_id: run.user_id,
      payload: emission.payload,
      correlation_id: emission.correlation_id ?? run.correlation_id,
      event_id,
      cause: causedByRun(run),
    });
    return { event_id, operation };
  } catch (error) {
    emitted.delete(event_id);
    throw error;
  }
}
