import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkText } from '../../shared/workflow/check-text.ts';
import { Graph } from '../../shared/workflow/graph.ts';
import { KINDS, nodeKinds } from '../../shared/workflow/kinds/table.ts';
import { validateGraph } from '../../shared/workflow/validate.ts';
import { arbitraryGraph } from './arbitrary-graph.ts';

const context = { checkText, isKnownTool: (id: string) => id === 'emit_event' || id === 'http_request' };
type Draft = Parameters<typeof Graph.parse>[0];
const validate = (graph: Draft) => validateGraph(Graph.parse(graph), context);
const codes = (graph: Draft) => validate(graph).errors.map(({ code, node_id }) => [code, node_id]);

const node = (id: string, kind: string, more = {}) => ({ id, kind, ...more });
const edge = (source: string, target: string, source_handle = 'out') => ({ source, target, source_handle });

/** start → work → end, with the work given. */
const line = (kind: string, config: Record<string, unknown>, more: { configs?: object; settings?: object } = {}) => ({
  nodes: [node('start', 'start'), node('work', kind), node('end', 'end')],
  edges: [edge('start', 'work'), edge('work', 'end')],
  configs: { work: config, ...more.configs },
  settings: more.settings,
});

test('a sound graph of every available kind has no problem', () => {
  const body = {
    nodes: [node('s', 'start'), node('t', 'transform'), node('e', 'end')],
    edges: [edge('s', 't'), edge('t', 'e')],
    configs: { t: { values: { double: 'item * 2', first: 'nodes.pick.output["total"]', at: 'index' } } },
  };
  const verdict = validate({
    nodes: [
      node('start', 'start'),
      node('pick', 'transform'),
      node('ask', 'agent'),
      node('fetch', 'http'),
      node('check', 'condition'),
      node('tell', 'emit_event'),
      node('call', 'tool'),
      node('person', 'human'),
      node('each', 'map'),
      node('end', 'end'),
    ],
    edges: [
      edge('start', 'pick'),
      edge('pick', 'ask'),
      edge('ask', 'fetch'),
      edge('fetch', 'check'),
      edge('fetch', 'end', 'error'),
      edge('check', 'tell', 'big'),
      edge('check', 'call', 'else'),
      edge('call', 'person'),
      edge('person', 'each', 'approve'),
      edge('person', 'end', 'reject'),
      edge('tell', 'end'),
      edge('each', 'end'),
    ],
    configs: {
      start: { input_schema: { type: 'object', properties: { pattern: { type: 'string' } } } },
      pick: { values: { total: 'sum(x["price"] for x in payload["items"])' } },
      ask: { prompt: 'Total: {{ nodes.pick.output["total"] }} for {{ event.source }}' },
      fetch: { url: 'https://api.example.com/{{ nodes["ask"].output["text"] }}', on_error: 'branch' },
      check: { branches: [{ id: 'big', expr: 'nodes.fetch.output["status"] == 200 and payload.get("x")' }] },
      tell: { event_type: 'order_checked', payload: '{"ok": True}' },
      call: { tool_id: 'http_request', arguments: { url: '{{ vars.endpoint }}' } },
      person: { title: 'Look at {{ run.id }}' },
      each: { list: 'payload["items"]', body },
      end: { output: 'nodes.pick.output' },
    },
    settings: { catalog_id: 'cat_1' },
  });
  expect(verdict).toEqual({ valid: true, errors: [], warnings: [] });
});

describe('shape', () => {
  test('every problem is told at once, with the node it concerns', () => {
    const found = codes({
      nodes: [
        node('start', 'start'),
        node('start2', 'start'),
        node('a', 'transform'),
        node('a', 'transform'),
        node('Bad Id', 'transform'),
        node('what', 'quantum'),
        node('lost', 'transform'),
        node('x', 'transform'),
        node('y', 'transform'),
      ],
      edges: [
        edge('start', 'a'),
        edge('a', 'ghost'),
        edge('start', 'x'),
        edge('x', 'y'),
        edge('y', 'x'),
        edge('start', 'x'),
        edge('x', 'start'),
        edge('start', 'what'),
        edge('start', 'Bad Id'),
        edge('a', 'y', 'sideways'),
      ],
      configs: Object.fromEntries(['a', 'Bad Id', 'lost', 'x', 'y', 'nobody'].map((id) => [id, { values: {} }])),
    });
    expect(found).toEqual(
      expect.arrayContaining([
        ['several_starts', 'start2'],
        ['duplicate_node', 'a'],
        ['bad_node_id', 'Bad Id'],
        ['unknown_kind', 'what'],
        ['unreachable', 'lost'],
        ['dangling_edge', 'ghost'],
        ['duplicate_edge', undefined],
        ['bad_edge', 'start'],
        ['bad_handle', 'a'],
        ['cycle', undefined],
        ['no_end', undefined],
        ['unknown_node', 'nobody'],
      ]),
    );
  });

  test('a cycle names all nodes it goes through', () => {
    const ids = ['a', 'b', 'c'];
    const { errors } = validate({
      nodes: [node('start', 'start'), ...ids.map((id) => node(id, 'transform')), node('end', 'end')],
      edges: [edge('start', 'a'), edge('a', 'b'), edge('b', 'c'), edge('c', 'a'), edge('c', 'end')],
      configs: Object.fromEntries(ids.map((id) => [id, { values: { x: '1' } }])),
    });
    expect(errors).toMatchObject([{ code: 'cycle', node_ids: ids }]);
  });

  test('a node that leads nowhere is a warning only', () => {
    const { valid, warnings } = validate({
      nodes: [node('start', 'start'), node('aside', 'transform'), node('end', 'end')],
      edges: [edge('start', 'aside'), edge('start', 'end')],
      configs: { aside: { values: { x: '1' } } },
    });
    expect({ valid, warnings }).toMatchObject({ valid: true, warnings: [{ code: 'dead_end', node_id: 'aside' }] });
  });

  test('a graph of too many nodes or edges is refused', () => {
    const many = Array.from({ length: 201 }, (_, at) => node(`n${at}`, 'transform'));
    expect(codes({ nodes: many }).map(([code]) => code)).toContain('too_many_nodes');
    const edges = Array.from({ length: 401 }, (_, at) => edge('start', `n${at}`));
    expect(codes({ edges }).map(([code]) => code)).toContain('too_many_edges');
  });

  test('start, end, condition and human nodes cannot be switched off', () => {
    const found = codes({ nodes: Object.keys(KINDS).map((kind) => node(kind, kind, { disabled: true })) });
    const refused = found.filter(([code]) => code === 'cannot_disable').map(([, id]) => id);
    expect(new Set(refused)).toEqual(new Set(['condition', 'end', 'human', 'start']));
  });

  test('no graph, however wrong, breaks the validator', () => {
    fc.assert(fc.property(arbitraryGraph, (graph) => validateGraph(graph, context).errors.length >= 0));
  });
});

describe('configuration', () => {
  const cases: [kind: string, config: Record<string, unknown>, path: string, message: RegExp][] = [
    ['http', {}, 'url', /expected string/],
    ['http', { url: 'https://a', colour: 'red' }, 'colour', /not a field/],
    ['http', { url: 'https://a', retry: { max_attempts: 99 } }, 'retry.max_attempts', /<=10/],
    ['http', { url: 'https://a', timeout_s: 100_000 }, 'timeout_s', /<=600/],
    ['http', { url: 'https://a', headers: { 'bad header': 'x' } }, 'headers.bad header', /header name/],
    ['emit_event', { event_type: 'Not Snake' }, 'event_type', /snake_case/],
    ['condition', { branches: [] }, 'branches', />=1/],
    ['condition', { branches: [{ id: 'else', expr: '1' }] }, 'branches', /always exist/],
    ['agent', { output_schema: { type: 'string', pattern: '(a+)+$' } }, 'output_schema', /"pattern" is not supported/],
    ['agent', { output_schema: { $ref: 'https://evil.example' } }, 'output_schema', /"\$ref" is not supported/],
    ['human', { title: 'x', on_timeout: 'explode' }, 'on_timeout', /id of an action/],
    [
      'human',
      {
        title: 'x',
        actions: [
          { id: 'a', label: 'A' },
          { id: 'a', label: 'B' },
        ],
      },
      'actions',
      /same id/,
    ],
  ];

  test.each(cases)('%s %j is refused at %s', (kind, config, path, message) => {
    const problem = validate(line(kind, config)).errors.find(({ code }) => code === 'bad_config');
    expect(problem).toMatchObject({ node_id: 'work', path: `configs.work.${path}` });
    expect(problem?.message).toMatch(message);
  });

  test('a handle that the node does not have is refused with the ones it has', () => {
    const graph = line('http', { url: 'https://a' });
    const { errors } = validate({ ...graph, edges: [...graph.edges, edge('work', 'end', 'error')] });
    expect(errors).toMatchObject([
      { code: 'bad_handle', node_id: 'work', message: expect.stringContaining('it has out') },
    ]);
  });

  test('an unknown tool is refused by name, on tool nodes and on agents', () => {
    expect(validate(line('tool', { tool_id: 'server:mcp:x' })).errors).toMatchObject([
      { code: 'unknown_tool', node_id: 'work', message: 'There is no tool called "server:mcp:x"' },
    ]);
    const agent = line('agent', { tools: [{ tool_id: 'emit_event' }, { tool_id: 'nope' }] });
    expect(validate(agent).errors).toMatchObject([{ code: 'unknown_tool', path: 'configs.work.tools.1.tool_id' }]);
  });

  test('a knowledge node is refused because there is no knowledge collection', () => {
    const { errors } = validate(line('knowledge', { collection_ids: ['k1'], query: 'x' }));
    expect(errors).toMatchObject([
      { code: 'unavailable_kind', message: expect.stringContaining('no knowledge collection') },
    ]);
  });

  test('an agent without a catalog is a warning, because the trigger may bring one', () => {
    expect(validate(line('agent', {}))).toMatchObject({
      valid: true,
      warnings: [{ code: 'no_catalog', node_id: 'work' }],
    });
  });
});

describe('expressions and templates', () => {
  const cases: [kind: string, config: Record<string, unknown>, code: string][] = [
    ['transform', { values: { a: 'payload[' } }, 'bad_expression'],
    ['transform', { values: { a: 'paylod["x"]' } }, 'unknown_name'],
    ['transform', { values: { a: 'item' } }, 'unknown_name'],
    ['transform', { values: { a: 'nodes.ghost.output' } }, 'unknown_reference'],
    ['transform', { values: { a: 'nodes["end"].output' } }, 'not_upstream'],
    ['transform', { values: { a: 'nodes.get("work")' } }, 'not_upstream'],
    ['http', { url: 'https://a/{{ payload[ }}' }, 'bad_expression'],
    ['http', { url: 'https://a', body: { deep: [{ text: '{{ nope }}' }] } }, 'unknown_name'],
    ['agent', { prompt: '{{ nodes.end.output }}' }, 'not_upstream'],
  ];

  test.each(cases)('%s %j: %s', (kind, config, code) => {
    expect(codes(line(kind, config))).toContainEqual([code, 'work']);
  });

  test('a syntax error tells its position', () => {
    const [problem] = validate(line('transform', { values: { a: '1 +\n  * 2' } })).errors;
    expect(problem?.position).toEqual({
      offset: expect.any(Number),
      line: expect.any(Number),
      column: expect.any(Number),
    });
  });
});

describe('map', () => {
  const body = (more: object) => ({
    nodes: [node('s', 'start'), node('e', 'end')],
    edges: [edge('s', 'e')],
    configs: {},
    ...more,
  });

  test('problems of the inner graph are told with both node ids and their path', () => {
    const { errors } = validate(line('map', { list: '[1]', body: body({ configs: { e: { output: 'iten' } } }) }));
    expect(errors).toMatchObject([
      { code: 'unknown_name', node_id: 'work.e', path: 'configs.work.body.configs.e.output' },
    ]);
  });

  test('a map inside a map and a person inside a map are refused', () => {
    const inner = body({
      nodes: [node('s', 'start'), node('m', 'map'), node('e', 'end')],
      edges: [edge('s', 'm'), edge('m', 'e')],
    });
    expect(codes(line('map', { list: '[1]', body: inner }))).toContainEqual(['bad_config', 'work.m']);
  });

  test('the inner graph needs its own start and end', () => {
    const found = codes(line('map', { list: '[1]', body: { nodes: [] } })).map(([code]) => code);
    expect(found).toEqual(expect.arrayContaining(['no_start', 'no_end']));
  });
});

test('every kind offers a JSON Schema for its form', () => {
  const kinds = nodeKinds();
  expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(Object.keys(KINDS).toSorted());
  for (const { config_schema } of kinds) expect(config_schema).toMatchObject({ type: 'object' });
  expect(kinds.find(({ kind }) => kind === 'knowledge')).toMatchObject({ available: false });
});
