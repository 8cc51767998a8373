import { afterAll, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { anOperator } from '../support/people.ts';

/** Nobody else uses this worker's installation meanwhile, so the whole list is ours. */
const server = (id: string, more: Record<string, unknown> = {}) => ({
  url: 'http://127.0.0.1:9',
  info: { id },
  ...more,
});
const { token } = await anOperator();
const replace = (servers: unknown[]) =>
  call('POST /api/v1/configs/tool_servers', { TOOL_SERVER_CONNECTIONS: servers }, { token });
const put = (input: ReturnType<typeof server>) =>
  call(`PUT /api/v1/configs/tool_servers/${input.info.id}`, input, { token });

interface Listed {
  readonly info: { readonly id: string };
  readonly has_key: boolean;
}
const list = async () =>
  (await call('GET /api/v1/configs/tool_servers', undefined, { token })).body.TOOL_SERVER_CONNECTIONS as Listed[];
const ids = async () => (await list()).map(({ info }) => info.id).toSorted();

afterAll(() => replace([]));

test('a list with one server that is refused changes nothing', async () => {
  await replace([server('kept', { auth_type: 'bearer', key: 'k' }), server('also')]);
  const refused = await replace([server('new'), server('bad', { type: 'mcp', auth_type: 'oauth_2.1_static' })]);
  expect(refused.status).toBe(422);
  expect(await ids()).toEqual(['also', 'kept']);
  expect((await replace([server('same'), server('same')])).body.detail[0].msg).toBe('same is named twice');
  await replace([server('kept', { auth_type: 'bearer' })]);
  expect(await list()).toMatchObject([{ info: { id: 'kept' }, has_key: true }]);
});

test('lists that come at the same time do not mix', async () => {
  const lists = Array.from({ length: 6 }, (_, at) => Array.from({ length: 30 }, (__, item) => `s${at}-${item}`));
  const answers = await Promise.all(lists.map((names) => replace(names.map((id) => server(id)))));
  expect(answers.map(({ status }) => status)).toEqual(lists.map(() => 200));
  const left = await ids();
  expect(lists.map((names) => names.toSorted())).toContainEqual(left);
});

test('servers that are saved one by one at the same time are all there', async () => {
  await replace([]);
  const names = Array.from({ length: 12 }, (_, at) => `one-${at}`);
  const answers = await Promise.all(names.map((id) => put(server(id))));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(await ids()).toEqual(names.toSorted());
  await Promise.all(
    names.slice(1).map((id) => call(`DELETE /api/v1/configs/tool_servers/${id}`, undefined, { token })),
  );
  expect(await ids()).toEqual(['one-0']);
});

test('hundreds of servers with their documents are kept, and more than that is refused in words', async () => {
  const spec = JSON.stringify({ openapi: '3.1.0', paths: {}, 'x-filler': 'x'.repeat(8000) });
  const many = Array.from({ length: 300 }, (_, at) => server(`many-${at}`, { spec_type: 'json', spec }));
  expect((await replace(many)).status).toBe(200);
  expect(await list()).toHaveLength(300);
  expect((await put(server('one-more'))).status).toBe(200);
  expect(await list()).toHaveLength(301);
  const tooMany = await replace(Array.from({ length: 501 }, (_, at) => server(`m-${at}`)));
  expect(tooMany).toMatchObject({ status: 422, body: { detail: [{ msg: 'There can be 500 tool servers, not 501' }] } });
  const wide = JSON.stringify({ openapi: '3.1.0', paths: {}, 'x-filler': 'x'.repeat(240_000) });
  const large = await replace(
    Array.from({ length: 20 }, (_, at) => server(`w-${at}`, { spec_type: 'json', spec: wide })),
  );
  expect(large).toMatchObject({ status: 413, body: { detail: expect.stringContaining('larger than 4 MB') } });
  expect(await list()).toHaveLength(301);
});
