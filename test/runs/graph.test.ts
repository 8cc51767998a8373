import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aUser } from '../support/people.ts';
import { as, aPublishedWorkflow, aWorkflow, chain, edge, node, simpleGraph, transform } from '../workflows/making.ts';
import { aServer, type TestServer } from './model-server.ts';
import { ended, runGraph, startRun, stepsOf, until } from './running.ts';

let server: TestServer;
beforeAll(async () => {
  server = await aServer(({ path, body, headers }, nth) => {
    if (path.startsWith('/flaky')) return nth % 3 === 0 ? { body: { ok: nth } } : { status: 503, body: 'busy' };
    if (path.startsWith('/missing')) return { status: 404, body: 'no such thing' };
    return { body: { path, body, key: headers['idempotency-key'] } };
  });
});
afterAll(() => server.stop());

const NO_RETRY = { max_attempts: 1 };

describe('the graph', () => {
  test('a run walks the graph and gives the output of its end', async () => {
    const graph = chain({
      double: transform({ value: 'input["n"] * 2' }),
      add: transform({ value: 'nodes.double.output["value"] + 1' }),
    });
    const configs = { ...graph.configs, end: { output: 'nodes.add.output["value"]' } };
    const { run, steps } = await runGraph(await aUser(), { ...graph, configs }, { input: { n: 20 } });
    expect(run).toMatchObject({
      status: 'succeeded',
      output: 41,
      error: null,
      version: 1,
      steps_done: 4,
      state: { input: { n: 20 }, _event: null },
    });
    expect(Object.values(steps).map(({ status }) => status)).toEqual(Object.values(steps).map(() => 'succeeded'));
  });

  test('a condition takes one way, the others are skipped, and ways meet again', async () => {
    const graph = {
      nodes: [
        node('start', 'start'),
        node('check', 'condition'),
        node('big', 'transform'),
        node('small', 'transform'),
        node('after', 'transform'),
        node('end', 'end'),
      ],
      edges: [
        edge('start', 'check'),
        edge('check', 'big', 'big'),
        edge('check', 'small', 'else'),
        edge('small', 'after'),
        edge('big', 'end'),
        edge('after', 'end'),
      ],
      configs: {
        check: { branches: [{ id: 'big', expr: 'payload["total"] > 100' }] },
        big: { values: { size: '"big"' } },
        small: { values: { size: '"small"' } },
        after: { values: { size: 'nodes.small.output["size"].upper()' } },
      },
    };
    const person = await aUser();
    const large = await runGraph(person, graph, { event: { event_type: 'order', payload: { total: 200 } } });
    expect(large.run.output).toEqual({ size: 'big' });
    expect([large.steps['small'].status, large.steps['after'].status]).toEqual(['skipped', 'skipped']);
    const little = await ended(
      person,
      await startRun(person, large.run.workflow_id, { event: { event_type: 'order', payload: { total: 1 } } }),
    );
    expect(little.output).toEqual({ size: 'SMALL' });
  });

  test('branches run side by side and a node waits for all of them', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    const { run } = await runGraph(await aUser(), {
      nodes: [
        node('start', 'start'),
        ...ids.map((id) => node(id, 'http')),
        node('join', 'transform'),
        node('end', 'end'),
      ],
      edges: [...ids.flatMap((id) => [edge('start', id), edge(id, 'join')]), edge('join', 'end')],
      configs: {
        ...Object.fromEntries(ids.map((id) => [id, { url: `${server.url}/${id}` }])),
        join: { values: { paths: '[nodes[x].output["body"]["path"] for x in ["a", "b", "c", "d"]]' } },
      },
    });
    expect(run.output).toEqual({ paths: ['/a', '/b', '/c', '/d'] });
  });

  test('a disabled node passes its input on', async () => {
    const graph = chain({ first: transform({ x: '1' }), off: transform({ y: '2' }) });
    const nodes = graph.nodes.map((one) => (one.id === 'off' ? { ...one, disabled: true } : one));
    expect((await runGraph(await aUser(), { ...graph, nodes })).run.output).toEqual({ x: 1 });
  });

  test('a map does its inner graph for every item, in order', async () => {
    const body = {
      nodes: [
        node('s', 'start'),
        node('odd', 'condition'),
        node('t', 'transform'),
        node('e', 'end'),
        node('none', 'end'),
      ],
      edges: [edge('s', 'odd'), edge('odd', 't', 'yes'), edge('odd', 'none', 'else'), edge('t', 'e')],
      configs: {
        odd: { branches: [{ id: 'yes', expr: 'item % 2 == 1' }] },
        t: { values: { square: 'item * item', at: 'index', first: 'nodes.pre.output["k"]' } },
        none: { output: '"even"' },
      },
    };
    const graph = chain({
      pre: transform({ k: '"x"' }),
      each: { kind: 'map', config: { list: 'input', body, concurrency: 3 } },
    });
    const { run, steps } = await runGraph(await aUser(), graph, { input: [1, 2, 3] });
    expect(run.output).toEqual([{ square: 1, at: 0, first: 'x' }, 'even', { square: 9, at: 2, first: 'x' }]);
    expect(steps['each.2.t']).toMatchObject({ node_id: 't', status: 'succeeded' });
    expect(steps['each.1.t']).toMatchObject({ status: 'skipped' });
  });

  test('an item of a map that fails fails it, is left out, or is put in its place', async () => {
    const body = {
      nodes: [node('s', 'start'), node('t', 'transform'), node('e', 'end')],
      edges: [edge('s', 't'), edge('t', 'e')],
      configs: { t: { values: { x: '10 // item' } } },
    };
    const person = await aUser();
    const outcomes = await Promise.all(
      ['fail', 'skip', 'collect'].map(async (on_item_error) => {
        const graph = chain({ each: { kind: 'map', config: { list: 'input', body, on_item_error } } });
        return (await runGraph(person, graph, { input: [5, 0, 2] })).run;
      }),
    );
    expect(outcomes[0]).toMatchObject({ status: 'failed', error: { code: 'expression_failed', node_id: 'each' } });
    expect(outcomes[1].output).toEqual([{ x: 2 }, { x: 5 }]);
    expect(outcomes[2].output).toMatchObject([{ x: 2 }, { error: { code: 'expression_failed' } }, { x: 5 }]);
  });
});

describe('failures', () => {
  test('a failing expression fails the run and says where and why', async () => {
    const { run, steps } = await runGraph(await aUser(), chain({ bad: transform({ x: 'payload["missing"]' }) }), {
      input: {},
    });
    expect(run).toMatchObject({
      status: 'failed',
      error: { code: 'expression_failed', node_id: 'bad', message: "KeyError: 'missing'", retryable: false },
    });
    expect(steps['bad']).toMatchObject({ status: 'failed', attempts: [{ n: 1 }] });
    expect(steps['end']).toBeUndefined();
  });

  test('a node may go on after a failure, or take the way called error', async () => {
    const person = await aUser();
    const goOn = chain({
      bad: { kind: 'http', config: { url: `${server.url}/missing`, on_error: 'continue', retry: NO_RETRY } },
    });
    const configs = {
      ...goOn.configs,
      end: { output: '[nodes.bad.status, nodes.bad.output, "404" in nodes.bad.error]' },
    };
    expect((await runGraph(person, { ...goOn, configs })).run).toMatchObject({
      status: 'succeeded',
      output: ['failed', null, true],
    });
    const branching = {
      nodes: [node('start', 'start'), node('bad', 'http'), node('rescue', 'transform'), node('end', 'end')],
      edges: [edge('start', 'bad'), edge('bad', 'end'), edge('bad', 'rescue', 'error'), edge('rescue', 'end')],
      configs: { bad: { url: `${server.url}/missing`, on_error: 'branch' }, rescue: { values: { saved: 'True' } } },
    };
    expect((await runGraph(person, branching)).run.output).toEqual({ saved: true });
  });

  test('what may pass is tried again with a pause, and every attempt is kept', async () => {
    const retry = { max_attempts: 4, initial_s: 0.05, factor: 1, jitter: false };
    const flaky = await aServer((_, nth) => (nth < 3 ? { status: 503, body: 'busy' } : { body: { ok: nth } }));
    const { run, steps } = await runGraph(
      await aUser(),
      chain({ call: { kind: 'http', config: { url: flaky.url, retry } } }),
    );
    await flaky.stop();
    expect(run).toMatchObject({ status: 'succeeded', output: { status: 200, body: { ok: 3 } } });
    expect(steps['call']).toMatchObject({
      attempt: 3,
      attempts: [{ error: { code: 'http_status' } }, { error: { code: 'http_status' } }],
    });
    const keys = flaky.seen.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys)).toEqual(new Set([`${run.run_id}:call:1`]));
  });

  test('a longer pause is spent in the queue', async () => {
    const retry = { max_attempts: 2, initial_s: 4, jitter: false };
    const slow = await aServer((_, nth) => (nth < 2 ? { status: 500, body: '' } : { body: {} }));
    const person = await aUser();
    const { id } = await aPublishedWorkflow(
      person,
      chain({ call: { kind: 'http', config: { url: slow.url, retry } } }),
    );
    const started = await startRun(person, id);
    const run = await ended(person, started);
    await slow.stop();
    expect(run).toMatchObject({ status: 'succeeded' });
    expect(run.duration_ms).toBeGreaterThan(3500);
  });

  test('private addresses are refused without another attempt', async () => {
    const { run, steps } = await runGraph(
      await aUser(),
      chain({ call: { kind: 'http', config: { url: 'http://169.254.169.254/latest' } } }),
    );
    expect(run).toMatchObject({ status: 'failed', error: { code: 'address_refused', retryable: false } });
    expect(steps['call'].attempts).toHaveLength(1);
  });

  test('a run that takes too long or too many steps ends', async () => {
    const person = await aUser();
    const hang = await aServer(() => new Promise(() => {}));
    const graph = chain({ call: { kind: 'http', config: { url: hang.url, retry: NO_RETRY } } });
    const slow = await runGraph(person, { ...graph, settings: { timeout_s: 1 } });
    await hang.stop();
    expect(slow.run).toMatchObject({ status: 'failed', error: { code: 'timeout' } });
    expect(slow.steps['call'].status).toBe('cancelled');
    const many = await runGraph(person, { ...simpleGraph(), settings: { max_steps: 2 } });
    expect(many.run).toMatchObject({ status: 'failed', error: { code: 'too_many_steps' } });
  });

  test('a failing branch stops what the others are doing, maps too', async () => {
    const hang = await aServer(() => new Promise(() => {}));
    const body = {
      nodes: [node('s', 'start'), node('call', 'http'), node('e', 'end')],
      edges: [edge('s', 'call'), edge('call', 'e')],
      configs: { call: { url: hang.url } },
    };
    const wait = await aServer(async () => {
      await until(
        async () => hang.seen.length,
        (seen) => seen > 0,
      );
      return { status: 400, body: 'no' };
    });
    const { run, steps } = await runGraph(await aUser(), {
      nodes: [node('start', 'start'), node('each', 'map'), node('bad', 'http'), node('end', 'end')],
      edges: [edge('start', 'each'), edge('start', 'bad'), edge('each', 'end'), edge('bad', 'end')],
      configs: { each: { list: '[1, 2]', body }, bad: { url: wait.url } },
    });
    await Promise.all([hang.stop(), wait.stop()]);
    expect(run).toMatchObject({ status: 'failed', error: { node_id: 'bad', code: 'http_status' } });
    expect([steps['each'].status, steps['each.0.call'].status]).toEqual(['cancelled', 'cancelled']);
  });

  test('a node has its own time-out', async () => {
    const hang = await aServer(() => new Promise(() => {}));
    const graph = chain({ call: { kind: 'http', config: { url: hang.url, timeout_s: 1, retry: NO_RETRY } } });
    const { run } = await runGraph(await aUser(), graph);
    await hang.stop();
    expect(run).toMatchObject({ status: 'failed', error: { code: 'upstream_timeout', node_id: 'call' } });
  });
});

describe('HTTP nodes', () => {
  test('templates fill address, query, headers and body', async () => {
    const config = {
      method: 'POST',
      url: `${server.url}/echo/{{ input["id"] }}`,
      query: { q: '{{ input["q"] }}' },
      headers: { 'x-tenant': '{{ vars.get("none", "n/a") }}' },
      body: { whole: '{{ input }}', text: 'id={{ input["id"] }}', list: ['{{ 1 + 1 }}', 3] },
    };
    const { run } = await runGraph(await aUser(), chain({ call: { kind: 'http', config } }), {
      input: { id: 7, q: 'a b' },
    });
    expect(run.output.body).toMatchObject({
      path: '/echo/7?q=a+b',
      body: { whole: { id: 7, q: 'a b' }, text: 'id=7', list: [2, 3] },
    });
    expect(server.seen.at(-1)?.headers['x-tenant']).toBe('n/a');
  });

  test('headers that frame the message cannot be set', async () => {
    const graph = chain({ call: { kind: 'http', config: { url: server.url, headers: { Host: 'internal' } } } });
    expect((await runGraph(await aUser(), graph)).run).toMatchObject({
      status: 'failed',
      error: { code: 'bad_header' },
    });
  });

  test('a tool node calls a built-in tool', async () => {
    const config = {
      tool_id: 'http_request',
      arguments: { url: `${server.url}/tool`, method: 'POST', body: '{{ input }}' },
    };
    const { run } = await runGraph(await aUser(), chain({ call: { kind: 'tool', config } }), { input: { a: 1 } });
    expect(run).toMatchObject({
      status: 'succeeded',
      output: { body: { path: '/tool', body: { a: 1 } } },
      usage: { tool_calls: 1 },
    });
  });
});

test('large values travel between steps and come out whole', async () => {
  const long = 'x'.repeat(400_000);
  const { run, steps } = await runGraph(
    await aUser(),
    chain({ keep: transform({ text: 'input["text"]' }), size: transform({ n: 'len(nodes.keep.output["text"])' }) }),
    {
      input: { text: long },
    },
  );
  expect(run).toMatchObject({ status: 'succeeded', output: { n: 400_000 } });
  expect(steps['keep']).toMatchObject({ output: null, output_omitted: true });
});

test('the live version serves while a Draft exists; a Draft runs only when asked for', async () => {
  const person = await aUser();
  const { id } = await aPublishedWorkflow(person, simpleGraph('1'));
  await as(person).call(`PUT /${id}`, { graph: simpleGraph('2') });
  const live = await ended(person, await startRun(person, id));
  expect(live).toMatchObject({ version: 1, version_id: 'v1', output: { value: 1 } });
  const draft = await ended(person, await startRun(person, id, { version: 'draft', test: true }));
  expect(draft).toMatchObject({
    version: null,
    version_id: 'draft',
    output: { value: 2 },
    is_test: true,
    trigger: { type: 'test' },
  });
  const fresh = await aWorkflow(person);
  expect((await as(person).call(`POST /${fresh.id}/runs`, {})).body.error.code).toBe('workflow_not_published');
  expect(await stepsOf(person, draft)).toHaveProperty('work');
});
