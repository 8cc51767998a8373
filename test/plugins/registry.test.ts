import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkValves, defaultsOf, specOf } from '../../shared/plugins/valves.ts';
import { call } from '../support/call.ts';
import { anOperator, aUser } from '../support/people.ts';
import { EVERYONE, example, remove, upload } from './support/plugin.ts';

const newId = () => `p_${randomUUID().replaceAll('-', '').slice(0, 12)}`;

describe('operators', () => {
  test('upload, read, change, switch and delete a function', async () => {
    const { token } = await anOperator();
    const id = newId();
    const content = example('polite-filter');
    const created = await call('POST /api/v1/functions/create', { id, content }, { token });
    expect(created).toMatchObject({
      status: 200,
      body: { id, name: 'Polite', type: 'filter', is_active: false, content },
    });
    expect((await call('POST /api/v1/functions/create', { id, content }, { token })).status).toBe(409);
    const shorter = `export const plugin = definePlugin({ name: 'B', outlet: (body) => body });`;
    const changed = await call(
      `POST /api/v1/functions/id/${id}/update`,
      { content: shorter, name: 'Renamed' },
      { token },
    );
    expect(changed).toMatchObject({ status: 200, body: { name: 'Renamed', revision: 2 } });
    expect(await call(`POST /api/v1/functions/id/${id}/update`, { name: 'x', revision: 1 }, { token })).toMatchObject({
      status: 409,
    });
    expect((await call(`POST /api/v1/functions/id/${id}/toggle`, undefined, { token })).body.is_active).toBe(true);
    expect((await call(`POST /api/v1/functions/id/${id}/toggle/global`, undefined, { token })).body.is_global).toBe(
      true,
    );
    expect((await call(`GET /api/v1/functions/id/${id}`, undefined, { token })).body.content).toBe(shorter);
    expect(await call(`DELETE /api/v1/functions/id/${id}/delete`, undefined, { token })).toMatchObject({ body: true });
    expect((await call(`GET /api/v1/functions/id/${id}`, undefined, { token })).status).toBe(404);
  });

  test.each([
    ['broken syntax', 'export const plugin = {', /Unexpected end/],
    ['an import', `import 'node:fs'; export const plugin = {};`, /cannot import/],
    ['an endless loop', 'for (;;) {}', /did not load within/],
    ['no function at all', 'export const plugin = definePlugin({ name: "x" });', /none of the functions/],
    ['a tool among functions', example('order-tool'), /This is a tool/],
    ['a priority that is no number', 'export const plugin = definePlugin({ priority: "a", inlet() {} });', /priority/],
  ])(
    'are told why a plugin with %s is refused',
    async (_name, content, message) => {
      const { token } = await anOperator();
      const { status, body } = await call('POST /api/v1/functions/create', { id: newId(), content }, { token });
      expect(status).toBe(422);
      expect(body.detail[0].msg).toMatch(message);
    },
    20_000,
  );

  test('set valves, which keep their kind and lie sealed', async () => {
    const { id, operator: token } = await upload(example('polite-filter'));
    const at = `/api/v1/functions/id/${id}/valves`;
    expect((await call(`GET ${at}/spec`, undefined, { token })).body.properties.signature).toMatchObject({
      type: 'string',
      default: 'Yours, Atrium',
    });
    expect((await call(`POST ${at}/update`, { signature: 'Bye' }, { token })).body).toEqual({ signature: 'Bye' });
    expect((await call(`GET ${at}`, undefined, { token })).body).toEqual({ signature: 'Bye' });
    expect((await call(`POST ${at}/update`, { signature: 4 }, { token })).status).toBe(422);
    expect((await call(`POST ${at}/update`, { other: 4 }, { token })).status).toBe(422);
    expect((await call(`POST ${at}/update`, { signature: null }, { token })).body).toEqual({});
  });

  test('never overwrite each other', async () => {
    const uploaded = await upload(example('polite-filter'));
    const target = `POST /api/v1/functions/id/${uploaded.id}/update`;
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => call(target, { name: `n${n}`, revision: 2 }, { token: uploaded.operator })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    await remove(uploaded);
  });
});

describe('users', () => {
  test('see tools that are granted to them, and never a source', async () => {
    const [friend, other] = await Promise.all([aUser(), aUser()]);
    const grant = [{ principal_type: 'user', principal_id: friend.userId, permission: 'read' }];
    const { id } = await upload(example('order-tool'), { registry: 'tools', access_grants: grant });
    const seen = async (token: string) =>
      (await call('GET /api/v1/tools', undefined, { token })).body.filter((tool: { id: string }) => tool.id === id);
    expect(await seen(friend.token)).toMatchObject([{ id, specs: [{ name: 'order' }], access_grants: [] }]);
    expect((await seen(friend.token))[0].content).toBeUndefined();
    expect(await seen(other.token)).toEqual([]);
  });

  test('set valves of their own, seen by nobody else', async () => {
    const [one, two] = await Promise.all([aUser(), aUser()]);
    const source = `export const plugin = definePlugin({ userValves: { tone: { type: 'string', enum: ['dry', 'warm'], default: 'dry' } },
      tools: { say: { description: 'says', run: (_, { user }) => user.valves.tone } } });`;
    const { id } = await upload(source, { registry: 'tools', access_grants: EVERYONE });
    const at = `/api/v1/tools/id/${id}/valves/user`;
    expect((await call(`POST ${at}/update`, { tone: 'warm' }, { token: one.token })).body).toEqual({ tone: 'warm' });
    expect((await call(`POST ${at}/update`, { tone: 'loud' }, { token: one.token })).status).toBe(422);
    expect((await call(`GET ${at}`, undefined, { token: one.token })).body).toEqual({ tone: 'warm' });
    expect((await call(`GET ${at}`, undefined, { token: two.token })).body).toEqual({});
  });
});

test('a pipe that lists its models by a function is asked for them, again when valves change', async () => {
  const source = `export const plugin = definePlugin({ name: 'Many', valves: { models: ['a'] },
    pipes: ({ valves }) => valves.models.map((id) => ({ id })), pipe: (body) => body.model });`;
  const { id, operator } = await upload(source, { valves: { models: ['b', 'c'] } });
  const { token } = await aUser();
  const listed = (await call('GET /api/models', undefined, { token })).body.data.map(
    (model: { id: string }) => model.id,
  );
  expect(listed).toEqual(expect.arrayContaining([`${id}.b`, `${id}.c`]));
  expect(listed).not.toContain(`${id}.a`);
  expect(operator).toBeTruthy();
});

test('valves are described as JSON Schema, whether they are defaults or schemas', () => {
  const declared = { max: 3, on: true, mode: { type: 'string', enum: ['a'], default: 'a' }, rest: { free: 1 } };
  expect(specOf(declared).properties).toMatchObject({
    max: { type: 'number', default: 3 },
    on: { type: 'boolean' },
    mode: { enum: ['a'] },
    rest: { type: 'object' },
  });
  expect(defaultsOf(declared)).toEqual({ max: 3, on: true, mode: 'a', rest: { free: 1 } });
  expect(() => checkValves(declared, { mode: 'b' })).toThrow(/one of a/);
});
