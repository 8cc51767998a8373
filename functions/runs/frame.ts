import { setField } from '../../shared/filter/json.ts';
import { dict, type Value } from '../../shared/filter/values/value.ts';
import type { Variables } from '../../shared/filter/variables.ts';
import type { RunError } from '../../shared/workflow/run-record.ts';
import type { CompiledGraph, CompiledNode } from './compiled-graph.ts';
import { NO_OUTPUT, outputOf, type Output } from './output.ts';
import { sourcesOf, type Settled } from './plan.ts';

export interface SettledNode extends Settled {
  readonly output: Output;
  readonly error: RunError | null;
}

/** One graph being walked: the workflow's own, or the one inside a map for one item. */
export interface Frame {
  /** Put before the ids of nodes to make ids of steps. */
  readonly prefix: string;
  readonly graph: CompiledGraph;
  readonly settled: Map<string, SettledNode>;
  /** What every expression sees besides `nodes`. */
  readonly base: Variables;
  readonly outer?: Frame;
  /** What this frame is about, inside a map. */
  readonly item?: Output;
}

/** What an expression of this frame can name right now. */
export const variablesIn = (frame: Frame): Variables => new Map([...frame.base, ['nodes', nodesIn(frame)]]);

function nodesIn(frame: Frame): Value {
  const nodes = dict(true);
  for (const one of frame.outer ? [frame.outer, frame] : [frame])
    for (const [id, settled] of one.settled) setField(nodes, id, asValue(settled));
  return nodes;
}

function asValue({ status, output, error }: SettledNode): Value {
  const record = dict(true);
  setField(record, 'status', status);
  setField(record, 'output', output.value());
  setField(record, 'error', error ? error.message : null);
  return record;
}

/** What came in by the ways that were taken: one output as it is, several by the ids of their nodes. */
export function previousOf(frame: Frame, node: CompiledNode): Output {
  const outputs = sourcesOf(node, frame.settled).map((id) => [id, frame.settled.get(id)?.output ?? NO_OUTPUT] as const);
  const [only] = outputs;
  if (!only) return NO_OUTPUT;
  if (outputs.length === 1) return only[1];
  return outputOf(`{${outputs.map(([id, { text }]) => `${JSON.stringify(id)}:${text}`).join(',')}}`);
}

/** The output of a graph: of the end that was reached, of all that were, or nothing. */
export function outputOfFrame({ graph, settled }: Frame): Output {
  const ends = [...graph.nodes.values()]
    .filter(({ kind }) => kind === 'end')
    .flatMap(({ node }) => {
      const end = settled.get(node.id);
      return end?.status === 'succeeded' ? [[node.id, end.output] as const] : [];
    });
  const [only] = ends;
  if (!only) return NO_OUTPUT;
  if (ends.length === 1) return only[1];
  return outputOf(`{${ends.map(([id, { text }]) => `${JSON.stringify(id)}:${text}`).join(',')}}`);
}
