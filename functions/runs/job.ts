import type { Operation } from '../../shared/store/transaction.ts';
import type { NodeKind } from '../../shared/workflow/kinds/table.ts';
import type { RunError, Usage } from '../../shared/workflow/run-record.ts';
import type { StepRow } from '../../shared/workflow/step-record.ts';
import type { CompiledNode } from './compiled-graph.ts';
import type { Frame } from './frame.ts';
import type { Output } from './output.ts';
import type { Session } from './session.ts';

/** Why a node stops without having come to its end, and when it should be looked at again. */
export interface Parked {
  readonly kind: 'parked';
  readonly at: number;
  readonly reason: 'retry' | 'human' | 'time';
}

export interface NodeDone {
  readonly kind: 'done';
  readonly output: Output;
  /** The ways out that are taken. */
  readonly taken: readonly string[];
  readonly usage?: Usage;
  readonly emitted?: readonly string[];
  /** Rows that must be written with the result or not at all. */
  readonly rows?: readonly Operation[];
}

export type NodeEnd = NodeDone | Parked;

export type GraphEnd =
  | { readonly kind: 'done'; readonly output: Output }
  | { readonly kind: 'failed'; readonly error: RunError }
  | Parked;

/** One node to be done. */
export interface Job<K extends NodeKind = NodeKind> {
  readonly session: Session;
  readonly frame: Frame;
  readonly node: Extract<CompiledNode, { kind: K }>;
  readonly stepId: string;
  /** What an earlier runner, or an earlier attempt, has left. */
  readonly known: StepRow | undefined;
  readonly previous: Output;
  readonly signal: AbortSignal;
  /** Walks a graph inside this node. */
  readonly walk: (frame: Frame) => Promise<GraphEnd>;
}

export const done = (output: Output, taken: readonly string[] = ['out']): NodeDone => ({ kind: 'done', output, taken });
