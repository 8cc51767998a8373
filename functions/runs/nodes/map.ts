import { MAX_ITEMS } from '../../../shared/workflow/kinds/map.ts';
import { compileGraph } from '../compiled-graph.ts';
import { evaluateJson } from '../expressions.ts';
import { NodeFailure } from '../failure.ts';
import { variablesIn, type Frame } from '../frame.ts';
import { done, type GraphEnd, type Job, type NodeEnd } from '../job.ts';
import { outputOf, type Output } from '../output.ts';
import { restoreSettled } from '../restore.ts';

/** The inner graph for every item, a few at a time. The list follows from settled outputs, so it is the same after a crash. */
export async function runMap(job: Job<'map'>): Promise<NodeEnd> {
  const items = itemsOf(job);
  const graph = compileGraph(job.node.config.body);
  const ends: (GraphEnd | undefined)[] = items.map(() => undefined);
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < items.length && !job.signal.aborted; at = next++) {
      const end = await job.walk(await itemFrame(job, { graph, at, item: items[at] }));
      ends[at] = end;
      if (end.kind === 'failed' && job.node.config.on_item_error === 'fail') next = items.length;
    }
  };
  await Promise.all(Array.from({ length: Math.min(job.node.config.concurrency, items.length) }, worker));
  if (job.signal.aborted) throw job.signal.reason;
  return collect(job, ends);
}

function itemsOf({ node, frame }: Job<'map'>): readonly unknown[] {
  const list = evaluateJson(node.config.list, variablesIn(frame));
  if (!Array.isArray(list)) throw new NodeFailure('not_a_list', 'The expression of a map must give a list');
  if (list.length > MAX_ITEMS) throw new NodeFailure('too_many_items', `A map takes at most ${MAX_ITEMS} items`);
  return list;
}

interface Item {
  readonly graph: Frame['graph'];
  readonly at: number;
  readonly item: unknown;
}

async function itemFrame({ session, frame, stepId }: Job<'map'>, { graph, at, item }: Item): Promise<Frame> {
  const prefix = `${stepId}.${at}.`;
  const output = outputOf(JSON.stringify(item ?? null));
  const base = new Map([...frame.base, ['item', output.value()] as const, ['index', BigInt(at)] as const]);
  return { prefix, graph, settled: await restoreSettled(session, prefix), base, outer: frame, item: output };
}

function collect({ node }: Job<'map'>, ends: readonly (GraphEnd | undefined)[]): NodeEnd {
  const { on_item_error } = node.config;
  const failed = ends.findIndex((end) => end?.kind === 'failed');
  const first = ends[failed];
  if (on_item_error === 'fail' && first?.kind === 'failed')
    throw new NodeFailure(first.error.code, `Item ${failed}: ${first.error.message}`);
  const parked = ends.filter((end) => end?.kind === 'parked').toSorted((a, b) => a.at - b.at);
  if (parked[0]) return parked[0];
  const outputs = ends.flatMap((end): Output[] => {
    if (end?.kind === 'done') return [end.output];
    if (end?.kind !== 'failed' || on_item_error === 'skip') return [];
    return [outputOf(JSON.stringify({ error: end.error }))];
  });
  return done(outputOf(`[${outputs.map(({ text }) => text).join(',')}]`));
}
