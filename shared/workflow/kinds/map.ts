import * as z from 'zod';
import { SubGraph } from '../graph.ts';
import { COMMON, expression } from './shape.ts';
import { defineKind, expressionAt } from './spec.ts';

export const MAX_ITEMS = 1000;

export const MapConfig = z.strictObject({
  list: expression(),
  /** Runs once per item, with `item` and `index`; begins at its own start and ends at its own end. */
  body: SubGraph,
  concurrency: z.int().min(1).max(20).default(5),
  /** Fail the node, leave the item out, or put its error in its place. */
  on_item_error: z.enum(['fail', 'skip', 'collect']).default('fail'),
  on_error: COMMON.on_error,
  notes: COMMON.notes,
});
export type MapConfig = z.output<typeof MapConfig>;

export const map = defineKind({
  title: 'Map',
  summary: 'Runs a small graph for every item of a list; its output is the list of results, in order.',
  config: MapConfig,
  handles: () => ['out'],
  texts: ({ list }) => expressionAt(['list'], list),
});
