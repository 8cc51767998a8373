import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { aUser, type Person } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { as, chain } from '../workflows/making.ts';
import { aServer, completion, type SeenRequest, type ScriptedAnswer, type TestServer } from './model-server.ts';
import { runGraph } from './running.ts';

/** Each test names its model; the server plays the script of that name. */
const scripts = new Map<string, (request: SeenRequest, nth: number) => ScriptedAnswer>();
let server: TestServer;
beforeAll(async () => {
  const counts = new Map<string, number>();
  server = await aServer((request) => {
    const nth = (counts.get(request.body.model) ?? 0) + 1;
    counts.set(request.body.model, nth);
    return (
      scripts.get(request.body.model)?.(request, nth) ?? { status: 404, body: { error: { message: 'no such model' } } }
    );
  });
});
afterAll(() => server.stop());

async function anAgent(
  script: (request: SeenRequest, nth: number) => ScriptedAnswer,
  options: { config?: object; more?: object } = {},
) {
  const person = await aUser();
  const model = `model-${person.userId}`;
  scripts.set(model, script);
  const catalog = await as(person).call('POST /api/v1/catalogs', {
    name: 'Test',
    base_url: server.url,
    model,
    api_key: `sk-${person.userId}`,
  });
  const graph = chain({ ask: { kind: 'agent', config: options.config ?? {} }, ...options.more });
  return { person, model, graph: { ...graph, settings: { catalog_id: catalog.body.id } } };
}

const asked = (model: string) => server.seen.filter(({ body }) => body.model === model);
const eventsOf = async (person: Person, query: string) =>
  (await call(`GET /api/v1/events?${query}`, undefined, { token: person.token })).body.data;

describe('agents', () => {
  verifies(
    ['runs/event-state', 'runs/first-input'],
    'a run holds the event it was started by, and the first agent gets it as JSON',
    async () => {
      const { person, model, graph } = await anAgent(() => completion('Done.'), {
        more: { next: { kind: 'agent', config: { system_prompt: 'Second.' } } },
      });
      const event = {
        event_type: 'order_created',
        payload: { total: 12.5, id: 7 },
        source: 'shop',
        correlation_id: 'order-7',
      };
      const { run } = await runGraph(person, graph, { event });
      const { _event } = run.state;
      expect(_event).toEqual({
        id: expect.any(String),
        type: 'order_created',
        payload: { total: 12.5, id: 7 },
        correlation_id: 'order-7',
        source: 'shop',
        published_at: expect.any(Number),
      });
      const [first, second] = asked(model);
      expect(JSON.parse(first?.body.messages[0].content)).toEqual(_event);
      expect(second?.body.messages).toEqual([
        { role: 'system', content: 'Second.' },
        { role: 'user', content: expect.stringContaining('"text":"Done."') },
      ]);
      expect(run).toMatchObject({
        status: 'succeeded',
        usage: { prompt_tokens: 20, completion_tokens: 10, model_calls: 2 },
      });
    },
  );

  verifies(
    ['subscriptions/catalog-id', 'subscriptions/space-id'],
    'an agent uses the key of the catalog and knows the instructions and variables of the space',
    async () => {
      const { person, model, graph } = await anAgent(() => completion('ok'), {
        config: { prompt: 'Region {{ vars.region }}' },
      });
      const space = await as(person).call('POST /api/v1/spaces', {
        name: 'EU',
        instructions: 'Be brief.',
        variables: { region: 'eu' },
      });
      await runGraph(person, { ...graph, settings: { ...graph.settings, space_id: space.body.id } });
      const [request] = asked(model);
      expect(request?.headers.authorization).toBe(`Bearer sk-${person.userId}`);
      expect(request?.body.messages).toEqual([
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Region eu' },
      ]);
    },
  );

  verifies(
    ['runs/emit-event-fields', 'runs/emit-event-correlation', 'events/publish-emit'],
    'emit_event publishes an event whose payload is a JSON-encoded string and which passes on the correlation id',
    async () => {
      const args = { event_type: 'order_checked', payload: '{"ok": true}', correlation_id: 'order-9' };
      const { person, model, graph } = await anAgent((_, nth) =>
        nth === 1 ? completion('', [{ id: 'c1', name: 'emit_event', args }]) : completion('Published.'),
      );
      const { run, steps } = await runGraph(person, graph, {
        event: { event_type: 'order_created', correlation_id: 'order-9' },
      });
      expect(run).toMatchObject({ status: 'succeeded', output: { text: 'Published.', tool_calls: 1 } });
      const [event_id] = steps['ask'].emitted_event_ids;
      const events = await eventsOf(person, 'correlation_id=order-9');
      expect(events).toMatchObject([
        {
          event_id,
          event_type: 'order_checked',
          payload: { ok: true },
          correlation_id: 'order-9',
          source: `workflow:${run.workflow_id}`,
        },
      ]);
      const tool = asked(model)[1]?.body.messages.at(-1);
      expect(tool).toMatchObject({ role: 'tool', tool_call_id: 'c1', content: expect.stringContaining(event_id) });
      expect(asked(model)[0]?.body.tools.map((one: { function: { name: string } }) => one.function.name)).toEqual([
        'emit_event',
      ]);
    },
  );

  test('a tool that fails tells the model, which may try something else', async () => {
    const bad = [
      { id: 'a', name: 'emit_event', args: { event_type: 'Bad Type', payload: '{}' } },
      { id: 'a', name: 'emit_event', args: { event_type: 'good_type', payload: 'not json' } },
      { id: 'a', name: 'launch_rocket', args: {} },
    ];
    const { person, model, graph } = await anAgent((_, nth) => {
      const call = bad[nth - 1];
      return call ? completion('', [call]) : completion('I give up.');
    });
    const { run } = await runGraph(person, graph);
    expect(run).toMatchObject({ status: 'succeeded', output: { text: 'I give up.', tool_calls: 3 } });
    const answers = asked(model)
      .at(-1)
      ?.body.messages.filter((one: { role: string }) => one.role === 'tool');
    expect(answers.map((one: { content: string }) => one.content)).toEqual([
      expect.stringContaining('snake_case'),
      expect.stringContaining('JSON-encoded'),
      expect.stringContaining('launch_rocket'),
    ]);
    expect(await eventsOf(person, 'event_type=good_type')).toEqual([]);
  });

  test('an answer that does not fit its schema is asked for again', async () => {
    const output_schema = { type: 'object', properties: { score: { type: 'integer' } }, required: ['score'] };
    const { person, model, graph } = await anAgent(
      (_, nth) => completion(['I think 7', '{"score": "high"}', '```json\n{"score": 7}\n```'][nth - 1] ?? ''),
      { config: { output_schema } },
    );
    const { run } = await runGraph(person, graph);
    expect(run.output).toMatchObject({ data: { score: 7 } });
    expect(asked(model)).toHaveLength(3);
  });

  test('an agent that never answers ends after its turns', async () => {
    const call = { id: 'x', name: 'emit_event', args: { event_type: 'again', payload: '{}' } };
    const { person, model, graph } = await anAgent(() => completion('', [call]), { config: { max_turns: 3 } });
    const { run, steps } = await runGraph(person, graph);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'too_many_turns' } });
    expect(asked(model)).toHaveLength(3);
    expect(steps['ask'].status).toBe('failed');
    expect(await eventsOf(person, 'event_type=again')).toHaveLength(3);
  });

  test('refusals of the model server are told; passing ones are tried again', async () => {
    const retry = { max_attempts: 3, initial_s: 0.02, jitter: false };
    const flaky = await anAgent(
      (_, nth) => (nth < 3 ? { status: 529, body: { error: { message: 'overloaded' } } } : completion('ok')),
      {
        config: { retry },
      },
    );
    expect((await runGraph(flaky.person, flaky.graph)).run.status).toBe('succeeded');
    const wrong = await anAgent(() => ({ status: 401, body: { error: { message: 'bad key' } } }));
    const { run } = await runGraph(wrong.person, wrong.graph);
    expect(run).toMatchObject({
      status: 'failed',
      error: { code: 'model_failed', message: expect.stringContaining('bad key') },
    });
    expect(asked(wrong.model)).toHaveLength(1);
  });

  test('without a catalog an agent cannot run', async () => {
    const { run } = await runGraph(await aUser(), chain({ ask: { kind: 'agent', config: {} } }));
    expect(run).toMatchObject({ status: 'failed', error: { code: 'no_catalog' } });
  });

  test('the conversation of an agent can be read', async () => {
    const { person, graph } = await anAgent(() => completion('Hello.'), { config: { prompt: 'Hi' } });
    const { run } = await runGraph(person, graph);
    const { body } = await as(person).call(`GET /${run.workflow_id}/runs/${run.run_id}/steps/ask`);
    expect(body.messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
    ]);
  });
});

describe('emit_event nodes', () => {
  test('an event is published with the incoming correlation id and one hop further out', async () => {
    const person = await aUser();
    const graph = chain({
      tell: { kind: 'emit_event', config: { event_type: 'chain_next', payload: '{"from": payload["n"]}' } },
    });
    const { run, steps } = await runGraph(person, graph, {
      event: { event_type: 'x', payload: { n: 1 }, correlation_id: 'corr-1' },
    });
    const [event] = await eventsOf(person, 'event_type=chain_next');
    expect(event).toMatchObject({
      event_id: steps['tell'].output.event_id,
      payload: { from: 1 },
      correlation_id: 'corr-1',
      source: `workflow:${run.workflow_id}`,
    });
  });

  test('a failed run publishes the error event of its workflow', async () => {
    const person = await aUser();
    const graph = {
      ...chain({ bad: { kind: 'transform', config: { values: { x: '1 // 0' } } } }),
      settings: { error_event_type: 'run_failed' },
    };
    const { run } = await runGraph(person, graph);
    const [event] = await eventsOf(person, 'event_type=run_failed');
    expect(event).toMatchObject({ payload: { run_id: run.run_id, error: { code: 'expression_failed' } } });
  });
});
