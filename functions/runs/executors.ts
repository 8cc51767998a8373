import type { NodeKind } from '../../shared/workflow/kinds/table.ts';
import { NodeFailure } from './failure.ts';
import type { Job, NodeEnd } from './job.ts';
import { runAgent } from './nodes/agent.ts';
import { runEmitEvent } from './nodes/emit-event.ts';
import { runCondition, runEnd, runStart, runTransform } from './nodes/flow.ts';
import { runHttp } from './nodes/http.ts';
import { runHuman } from './nodes/human.ts';
import { runMap } from './nodes/map.ts';
import { runTool } from './nodes/tool.ts';

export interface Executor<K extends NodeKind> {
  /**
   * `pure` results follow from the state alone and may be written later, with others; `publishes` is pure but for an
   * event in the same transaction; `outside` is shown as running before it begins; `own` keeps its row itself.
   */
  readonly effect: 'pure' | 'publishes' | 'outside' | 'own';
  readonly execute: (job: Job<K>) => NodeEnd | Promise<NodeEnd>;
}

/** How each kind of node is done. */
const EXECUTORS: { readonly [K in NodeKind]: Executor<K> } = {
  start: { effect: 'pure', execute: runStart },
  end: { effect: 'pure', execute: runEnd },
  condition: { effect: 'pure', execute: runCondition },
  transform: { effect: 'pure', execute: runTransform },
  emit_event: { effect: 'publishes', execute: runEmitEvent },
  http: { effect: 'outside', execute: runHttp },
  tool: { effect: 'outside', execute: runTool },
  agent: { effect: 'outside', execute: runAgent },
  map: { effect: 'outside', execute: runMap },
  human: { effect: 'own', execute: runHuman },
  knowledge: {
    effect: 'pure',
    execute: () => {
      throw new NodeFailure('no_knowledge', 'There is no knowledge collection on this installation');
    },
  },
};

/** The executor of a node's kind, for callers that treat all kinds alike. */
export const executorOf = (kind: NodeKind) => EXECUTORS[kind] as unknown as Executor<NodeKind>;
