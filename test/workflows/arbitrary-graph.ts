import fc from 'fast-check';
import { Graph } from '../../shared/workflow/graph.ts';

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const json = fc.jsonValue({ maxDepth: 2 });
const config = fc.dictionary(fc.constantFrom('prompt', 'url', 'branches', 'retry'), json, { maxKeys: 3 });

const node = fc.record({
  id,
  kind: fc.constantFrom('start', 'agent', 'http', 'end', 'map', 'mystery'),
  name: fc.constantFrom('', 'One', 'Two'),
  position: fc.record({ x: fc.integer({ min: 0, max: 3 }), y: fc.integer({ min: 0, max: 3 }) }),
  disabled: fc.boolean(),
});

const edge = fc.record(
  { source: id, target: id, source_handle: fc.constantFrom('out', 'else', 'error'), label: fc.constantFrom('x', 'y') },
  { requiredKeys: ['source', 'target'] },
);

/** Graphs as people could save them: mostly wrong, with unique nodes and edges. */
export const arbitraryGraph = fc
  .record({
    nodes: fc.uniqueArray(node, { selector: (one) => one.id, maxLength: 6 }),
    edges: fc.uniqueArray(edge, {
      selector: ({ source, target, source_handle = 'out' }) => `${source}:${source_handle}>${target}`,
      maxLength: 8,
    }),
    configs: fc.dictionary(id, config, { maxKeys: 4 }),
    settings: fc.record({ timeout_s: fc.constantFrom(60, 900) }),
  })
  .map((graph) => Graph.parse(graph));
