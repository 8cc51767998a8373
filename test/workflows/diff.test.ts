import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, graphHash } from '../../shared/workflow/canonical.ts';
import { diffGraphs, type GraphDiff } from '../../shared/workflow/diff.ts';
import { diffFields } from '../../shared/workflow/field-diff.ts';
import { edgeIdentity, Graph } from '../../shared/workflow/graph.ts';
import { lineDiff } from '../../shared/workflow/line-diff.ts';
import { nodeView } from '../../shared/workflow/node-view.ts';
import { arbitraryGraph } from './arbitrary-graph.ts';

const isEmpty = ({ nodes, edges, settings }: GraphDiff) =>
  [...nodes, ...edges].every(({ status }) => status === 'unchanged') && settings.length === 0;

const viewsOf = ({ nodes, configs }: Graph) =>
  Object.fromEntries(nodes.map((node) => [node.id, nodeView(node, configs)]));

describe('properties', () => {
  test('a graph does not differ from itself', () => {
    fc.assert(fc.property(arbitraryGraph, (graph) => isEmpty(diffGraphs(graph, structuredClone(graph)))));
  });

  test('a diff is empty exactly when the hashes are equal', () => {
    fc.assert(
      fc.property(
        arbitraryGraph,
        arbitraryGraph,
        (a, b) => isEmpty(diffGraphs(a, b)) === (graphHash(a) === graphHash(b)),
      ),
    );
  });

  test('applying a diff to the older graph gives the newer one', () => {
    fc.assert(
      fc.property(arbitraryGraph, arbitraryGraph, (a, b) => {
        const diff = diffGraphs(a, b);
        const nodes = Object.fromEntries(
          diff.nodes
            .filter(({ status }) => status !== 'removed')
            .map(({ id, status, after }) => [id, status === 'unchanged' ? viewsOf(a)[id] : after]),
        );
        expect(canonicalJson(nodes)).toBe(canonicalJson(viewsOf(b)));
        const edges = diff.edges.filter(({ status }) => status !== 'removed').map(edgeIdentity);
        expect(edges.toSorted()).toEqual(b.edges.map(edgeIdentity).toSorted());
      }),
    );
  });

  test('turning a diff round swaps added and removed', () => {
    fc.assert(
      fc.property(arbitraryGraph, arbitraryGraph, (a, b) => {
        const [there, back] = [diffGraphs(a, b).summary, diffGraphs(b, a).summary];
        for (const part of ['nodes', 'edges'] as const) {
          expect(back[part]).toEqual({ ...there[part], added: there[part].removed, removed: there[part].added });
        }
      }),
    );
  });

  test('lines of a text diff rebuild both texts', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 }).map((l) => l.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = lineDiff(before, after);
        const side = (op: string) =>
          lines.filter((line) => line.op === 'same' || line.op === op).map((line) => line.text);
        expect(side('removed').join('\n')).toBe(before);
        expect(side('added').join('\n')).toBe(after);
      }),
    );
  });
});

describe('fields', () => {
  test('each field that differs is listed with both values', () => {
    const before = { url: 'https://a', retry: { max_attempts: 3 }, headers: { x: '1' }, tags: ['a', 'b'] };
    const after = { url: 'https://b', retry: { max_attempts: 3, factor: 2 }, tags: ['a', 'c', 'd'] };
    expect(diffFields(before, after)).toEqual([
      { path: 'url', op: 'changed', before: 'https://a', after: 'https://b' },
      { path: 'retry.factor', op: 'added', after: 2 },
      { path: 'headers', op: 'removed', before: { x: '1' } },
      { path: 'tags.1', op: 'changed', before: 'b', after: 'c' },
      { path: 'tags.2', op: 'added', after: 'd' },
    ]);
  });

  test('texts of several lines are compared line by line', () => {
    const [change] = diffFields({ prompt: 'one\ntwo\nthree' }, { prompt: 'one\n2\nthree' });
    expect(change?.lines).toEqual([
      { op: 'same', text: 'one' },
      { op: 'removed', text: 'two' },
      { op: 'added', text: '2' },
      { op: 'same', text: 'three' },
    ]);
  });
});

describe('layout', () => {
  const at = (x: number) =>
    Graph.parse({ nodes: [{ id: 'a', kind: 'http', position: { x, y: 0 } }], configs: { a: { url: 'https://a' } } });

  test('a node that was only moved is unchanged and marked as moved', () => {
    const diff = diffGraphs(at(0), at(10));
    expect(diff.nodes).toMatchObject([{ id: 'a', status: 'unchanged', mark: null, moved: true, fields: [] }]);
    expect(graphHash(at(0))).toBe(graphHash(at(10)));
  });

  test('a node moved inside a map is no change of the map', () => {
    const mapped = (x: number) =>
      Graph.parse({
        nodes: [{ id: 'm', kind: 'map' }],
        configs: { m: { list: '[]', body: { nodes: [{ id: 's', kind: 'start', position: { x, y: 1 } }] } } },
      });
    expect(diffGraphs(mapped(1), mapped(2)).summary.nodes).toMatchObject({ changed: 0, unchanged: 1 });
  });
});
