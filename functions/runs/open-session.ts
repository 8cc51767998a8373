import * as z from 'zod';
import { setField } from '../../shared/filter/json.ts';
import { dict, type Value } from '../../shared/filter/values/value.ts';
import type { Variables } from '../../shared/filter/variables.ts';
import { parseExact } from '../../shared/exact-json.ts';
import { RunEvent, type RunRow } from '../../shared/workflow/run-record.ts';
import { unpackText } from '../../shared/workflow/stored-json.ts';
import type { StepRow } from '../../shared/workflow/step-record.ts';
import type { Held } from './lease-store.ts';
import { outputOf, type Output } from './output.ts';
import { loadSpace, type RunSpace } from './run-context.ts';
import type { RunPorts, Session } from './session.ts';
import type { LoadedRun } from './store.ts';
import type { RunnableGraph } from './version-cache.ts';

const State = z.object({ _event: RunEvent.nullable(), input: z.unknown() });

interface Opening {
  readonly held: Held;
  readonly loaded: LoadedRun;
  readonly runnable: RunnableGraph;
  readonly ports: RunPorts;
  readonly signal: AbortSignal;
  /** When this runner should begin nothing more. */
  readonly until: number;
}

export interface Opened {
  readonly session: Session;
  /** What every expression of the run sees besides `nodes`. */
  readonly variables: Variables;
}

/** How long a run can last at most: people may be waited for many times over, everything else ends within a day. */
const spareDays = ({ graph }: RunnableGraph) => (graph.nodes.values().some(({ kind }) => kind === 'human') ? 366 : 2);

export async function openSession({ held, loaded, runnable, ports, signal, until }: Opening): Promise<Opened> {
  const run = { ...loaded.run, started_at: loaded.run.started_at ?? ports.now() };
  const { settings } = runnable;
  const state = State.parse(parseExact(await unpackText(ports.spill, loaded.state)));
  const input = outputOf(JSON.stringify(state.input ?? null));
  const event = state._event ? outputOf(JSON.stringify(state._event)) : input;
  const space = await loadSpace(run.tenant, run.space_id ?? settings.space_id);
  const session: Session = {
    held,
    run,
    settings,
    space,
    event,
    input,
    ports,
    signal,
    steps: new Map(loaded.steps.map((step): [string, StepRow] => [step.step_id, step])),
    emitted: new Set(loaded.steps.flatMap(({ emitted_event_ids }) => emitted_event_ids)),
    pending: { rows: [], bytes: 0, isAnnounced: false },
    ttl: Math.floor(run.created_at / 1000) + (settings.retention_days + spareDays(runnable)) * 86_400,
    isOutOfTime: () => ports.now() >= until,
  };
  return { session, variables: variablesOf(run, state._event, { input, space }) };
}

interface Given {
  readonly input: Output;
  readonly space: RunSpace;
}

function variablesOf(run: RunRow, event: RunEvent | null, { input, space }: Given): Variables {
  const payload = event ? outputOf(JSON.stringify(event.payload ?? null)).value() : input.value();
  return new Map<string, Value>([
    ['payload', payload],
    ['event', record({ ...eventFields(run, event), payload })],
    ['input', input.value()],
    ['run', record(runFields(run))],
    ['vars', asDotted(outputOf(space.variables).value())],
  ]);
}

/** A run that no event started is described as if one had, so that expressions need not ask. */
function eventFields(run: RunRow, event: RunEvent | null): Record<string, Value> {
  const id = event?.id ?? run.run_id;
  const type = event?.type ?? run.trigger.type;
  return {
    event_id: id,
    event_type: type,
    source: event?.source ?? 'api',
    correlation_id: event?.correlation_id ?? run.correlation_id,
    user_id: run.user_id,
    published_at: BigInt(event?.published_at ?? run.created_at),
    id,
    type,
  };
}

const runFields = (run: RunRow): Record<string, Value> => ({
  id: run.run_id,
  workflow_id: run.workflow_id,
  version: run.version === null ? null : BigInt(run.version),
  correlation_id: run.correlation_id,
  user_id: run.user_id,
  is_test: run.is_test,
  created_at: BigInt(run.created_at),
});

function record(fields: Readonly<Record<string, Value>>): Value {
  const result = dict(true);
  for (const [name, value] of Object.entries(fields)) setField(result, name, value);
  return result;
}

const asDotted = (value: Value): Value =>
  typeof value === 'object' && value !== null && value.type === 'dict' ? { ...value, isDotted: true } : value;
