import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { anOperator } from '../support/people.ts';
import { aRecorder, type Recorder } from '../tools/support.ts';

const SPEC = { type: 'object', properties: { tone: { type: 'string' } } };
let valves: Record<string, unknown> = { tone: 'dry' };
let server: Recorder;
let token = '';
let disconnect = async () => {};

beforeAll(async () => {
  server = await aRecorder(({ path, body }) => {
    if (path === '/models') return { body: { pipelines: true, data: [] } };
    if (path === '/pipelines')
      return { body: { data: [{ id: 'polite', name: 'Polite', type: 'filter', valves: true }] } };
    if (path === '/polite/valves') return { body: valves };
    if (path === '/polite/valves/spec') return { body: SPEC };
    if (path === '/locked/valves') return { status: 401, body: { detail: 'Bad key' } };
    if (path !== '/polite/valves/update') return { status: 404, body: { detail: 'No such pipeline' } };
    valves = JSON.parse(body) as typeof valves;
    return valves['tone'] === 4 ? { status: 422, body: { detail: 'tone is a text' } } : { body: valves };
  });
  ({ token } = await anOperator());
  const form = {
    kind: 'compat',
    name: 'Remote',
    url: server.url,
    key: 'remote-key',
    tags: ['pipelines'],
    prefix_id: '',
  };
  const { body } = await call('POST /api/v1/connections', form, { token });
  disconnect = async () => void (await call(`DELETE /api/v1/connections/${body.id}`, undefined, { token }));
});
afterAll(async () => {
  await disconnect();
  await server.stop();
});

const get = (path: string) => call(`GET /api/v1/pipelines${path}`, undefined, { token });

test('operators see the servers of remote pipelines, their pipelines and what can be set', async () => {
  const { body } = await get('/list');
  expect(body).toEqual({ data: [{ url: server.url, idx: 0 }] });
  expect((await get('?urlIdx=0')).body).toEqual({
    data: [{ id: 'polite', name: 'Polite', type: 'filter', valves: true }],
  });
  expect((await get('/polite/valves?urlIdx=0')).body).toEqual({ tone: 'dry' });
  expect((await get('/polite/valves/spec?urlIdx=0')).body).toEqual(SPEC);
  expect(server.seen.at(-1)?.headers.authorization).toBe('Bearer remote-key');
});

test('operators set valves there, and hear what is wrong with them', async () => {
  const set = (tone: unknown) => call('POST /api/v1/pipelines/polite/valves/update?urlIdx=0', { tone }, { token });
  expect((await set('warm')).body).toEqual({ tone: 'warm' });
  expect(await set(4)).toMatchObject({ status: 400, body: { detail: 'tone is a text' } });
});

test('what is not there is 404, and a refused key is a failure of the connection', async () => {
  expect(await get('/other/valves')).toMatchObject({ status: 404, body: { detail: 'No such pipeline' } });
  expect((await get('/polite/valves?urlIdx=7')).status).toBe(404);
  expect((await get('/polite/valves?urlIdx=x')).status).toBe(422);
  expect(await get('/locked/valves')).toMatchObject({ status: 502, body: { detail: 'Bad key' } });
  expect((await get('/..%2F..%2Fadmin/valves')).status).toBe(404);
  expect(server.seen.map(({ path }) => path)).not.toContain('/admin/valves');
});
