import { AppError, invalidField } from '../errors.ts';
import { MAX_GRAPH_BYTES } from './graph.ts';

const DEEPEST = 64;

/** Refuses what would be too large to keep or too deep to walk, before anything walks it. */
export function demandStorable(graph: unknown) {
  if (depthExceeds(graph, DEEPEST)) throw invalidField(['body', 'graph'], `nested deeper than ${DEEPEST} levels`);
  const bytes = Buffer.byteLength(JSON.stringify(graph));
  if (bytes > MAX_GRAPH_BYTES)
    throw new AppError('payload_too_large', `A graph may have ${MAX_GRAPH_BYTES} bytes; this one has ${bytes}`);
}

/** Level by level instead of by recursion, which a hostile value could exhaust. */
export function depthExceeds(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
