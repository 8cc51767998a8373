import { openTasks, sortableTime } from '../../../shared/workflow/keys.ts';
import type { HumanAnswer, HumanTask, StepRow } from '../../../shared/workflow/step-record.ts';
import { renderText } from '../expressions.ts';
import { NodeFailure } from '../failure.ts';
import { variablesIn } from '../frame.ts';
import { done, type Job, type NodeEnd, type Parked } from '../job.ts';
import { newStep } from '../new-step.ts';
import { keepStep } from '../session.ts';
import { jsonOutput } from './flow.ts';

/** Asks once, then waits: for the answer, or for the end of patience. */
export async function runHuman(job: Job<'human'>): Promise<NodeEnd> {
  const { known, node, session } = job;
  if (!known?.task) return askPerson(job);
  if (known.answer) return answered(known.answer);
  if (session.ports.now() < known.task.expires_at) return waitingUntil(known.task.expires_at);
  const { on_timeout } = node.config;
  if (on_timeout === 'fail') throw new NodeFailure('human_timeout', 'Nobody answered in time');
  return done(jsonOutput({ action: on_timeout, values: {}, by: null, timed_out: true }), ['out', on_timeout]);
}

function answered({ action, values, by }: HumanAnswer): NodeEnd {
  return done(jsonOutput({ action, values: JSON.parse(values) as unknown, by }), ['out', action]);
}

const waitingUntil = (at: number): Parked => ({ kind: 'parked', at, reason: 'human' });

async function askPerson(job: Job<'human'>): Promise<Parked> {
  const { session, node, stepId } = job;
  const { run } = session;
  const task = taskOf(job);
  const step: StepRow = { ...newStep(session, node, stepId), status: 'waiting', task };
  const list = {
    gsi1pk: openTasks(run.tenant),
    gsi1sk: `${sortableTime(step.started_at)}#${run.run_id}#${stepId}`,
    tenant: run.tenant,
    workflow_id: run.workflow_id,
  };
  await keepStep(session, step, { isUrgent: true, extra: list });
  await session.ports.notify(run, step);
  return waitingUntil(task.expires_at);
}

function taskOf({ session, node, frame }: Job<'human'>): HumanTask {
  const { title, message, form_schema, actions, assignees, timeout_s } = node.config;
  const variables = variablesIn(frame);
  return {
    title: renderText(title, variables).slice(0, 500),
    message: renderText(message, variables).slice(0, 20_000),
    form_schema: form_schema ?? null,
    actions,
    assignees,
    expires_at: session.ports.now() + timeout_s * 1000,
  };
}
