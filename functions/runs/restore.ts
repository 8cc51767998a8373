import { unpackText } from '../../shared/workflow/stored-json.ts';
import { isSettled, type StepRow } from '../../shared/workflow/step-record.ts';
import type { SettledNode } from './frame.ts';
import { NO_OUTPUT, outputOf } from './output.ts';
import type { Session } from './session.ts';

/** What earlier runners have settled of one graph: read back, never done again. */
export async function restoreSettled(session: Session, prefix: string): Promise<Map<string, SettledNode>> {
  const own = [...session.steps.values()].filter(
    ({ step_id, status }) =>
      isSettled(status) && step_id.startsWith(prefix) && !step_id.slice(prefix.length).includes('.'),
  );
  return new Map(await Promise.all(own.map(async (step) => [step.node_id, await asSettled(session, step)] as const)));
}

async function asSettled({ ports }: Session, step: StepRow): Promise<SettledNode> {
  const { status, taken, error, output } = step;
  if (status !== 'succeeded' && status !== 'failed' && status !== 'skipped')
    throw new Error(`Step ${step.step_id} is ${status} in a run that goes on`);
  return { status, taken, error, output: output ? outputOf(await unpackText(ports.spill, output)) : NO_OUTPUT };
}
