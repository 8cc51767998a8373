import * as z from 'zod';
import { parseExact } from '../../shared/exact-json.ts';
import type { Spill } from '../../shared/store/spill.ts';
import { NO_USAGE, addUsage, RunEvent, RunTrigger, type RunRow } from '../../shared/workflow/run-record.ts';
import type { StepRow } from '../../shared/workflow/step-record.ts';
import { unpackText, type StoredJson } from '../../shared/workflow/stored-json.ts';
import type { OpenTask, WholeRun } from './read-store.ts';

const State = z.object({ _event: RunEvent.nullable(), _trigger: RunTrigger, input: z.unknown() });

export async function runView(spill: Spill, { run, state, output }: WholeRun) {
  return {
    ...run,
    state: State.parse(parseExact(await unpackText(spill, state))),
    output: output ? parseExact(await unpackText(spill, output)) : null,
  };
}

const SHOWN_BYTES = 16 * 1024;

/** A step of a list: large outputs are left out, so that a page stays small. */
export function stepView({ output, answer, ...step }: StepRow) {
  const isShown = output === null || ('inline' in output && output.inline.length <= SHOWN_BYTES);
  return {
    ...step,
    output: isShown && output && 'inline' in output ? parseExact(output.inline) : null,
    output_omitted: !isShown,
    answer: answer ? { ...answer, values: parseExact(answer.values) } : null,
  };
}

export const wholeStepView = async (spill: Spill, step: StepRow) => ({
  ...stepView(step),
  output: await unpacked(spill, step.output),
  output_omitted: false,
});

const unpacked = async (spill: Spill, stored: StoredJson | null) =>
  stored ? parseExact(await unpackText(spill, stored)) : null;

export function taskView({ task, workflow_id, run_id, step_id, started_at }: OpenTask) {
  if (!task) throw new Error(`Step ${step_id} is listed as a task and has none`);
  return { ...task, workflow_id, run_id, step_id, created_at: started_at };
}

export function statsView(runs: readonly RunRow[], { windowMs, complete }: { windowMs: number; complete: boolean }) {
  const counts: Record<string, number> = {};
  for (const { status } of runs) counts[status] = (counts[status] ?? 0) + 1;
  const durations = runs.flatMap(({ duration_ms }) => duration_ms ?? []).toSorted((a, b) => a - b);
  const at = (share: number) => durations[Math.min(durations.length - 1, Math.floor(durations.length * share))] ?? null;
  return {
    window_ms: windowMs,
    complete,
    counts,
    duration_ms: { p50: at(0.5), p95: at(0.95) },
    usage: runs.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
  };
}
