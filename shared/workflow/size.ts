import { AppError, invalidField } from '../errors.ts';
import { isDeeperThan } from '../exact-json.ts';
import { MAX_GRAPH_BYTES } from './graph.ts';

const DEEPEST = 64;

/** Refuses what would be too large to keep or too deep to walk, before anything walks it. */
export function demandStorable(graph: unknown) {
  if (isDeeperThan(graph, DEEPEST)) throw invalidField(['body', 'graph'], `nested deeper than ${DEEPEST} levels`);
  const bytes = Buffer.byteLength(JSON.stringify(graph));
  if (bytes > MAX_GRAPH_BYTES)
    throw new AppError('payload_too_large', `A graph may have ${MAX_GRAPH_BYTES} bytes; this one has ${bytes}`);
}
