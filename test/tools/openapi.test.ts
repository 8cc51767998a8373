import { randomUUID } from 'node:crypto';
import { jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationsOf } from '../../shared/tools/openapi.ts';
import { baseOf, requestOf } from '../../shared/tools/openapi-request.ts';
import { withOwnNames } from '../../shared/tools/toolbox.ts';
import { useHost } from '../plugins/support/own-host.ts';
import { EVERYONE, upload } from '../plugins/support/plugin.ts';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { anOperator, aUser, type Person } from '../support/people.ts';
import { aRecorder, CALLING_MODEL, connect, type Recorder } from './support.ts';

const SECRET = 'a-secret-for-tools-0123456789-abcdefghij';
const signing = useHost({
  ENABLE_FORWARD_USER_INFO_HEADERS: 'True',
  FORWARD_USER_INFO_HEADER_JWT_SECRET: SECRET,
  AWS_ENDPOINT_URL_KMS: host.endpoints.aws,
});

/** One operation, as a document with these parts says it. */
interface Around {
  readonly method?: string;
  readonly path?: string;
  readonly [field: string]: unknown;
}
const one = (operation: Record<string, unknown>, { method = 'post', path = '/do', ...rest }: Around = {}) => {
  const document = { openapi: '3.1.0', paths: { [path]: { [method]: { operationId: 'do', ...operation } } }, ...rest };
  const { operations, leftOut } = operationsOf(document);
  return { operation: operations[0], leftOut };
};
const sent = (operation: Record<string, unknown>, args: Record<string, unknown>, more: Around = {}) => {
  const read = one(operation, more).operation;
  if (!read) throw new Error('The operation was left out');
  const { url, headers, body } = requestOf(read, args, '');
  return { url, headers, body };
};
const json = (schema: unknown, type = 'application/json') => ({ requestBody: { content: { [type]: { schema } } } });
const parameter = (where: string, more: Record<string, unknown> = {}) => ({
  parameters: [{ name: 'p', in: where, schema: { type: 'string' }, ...more }],
});

describe('arguments go where the document says', () => {
  test.each([
    ['query', {}, 'a b', '/do?p=a+b'],
    ['query', {}, ['a', 'b'], '/do?p=a&p=b'],
    ['query', { explode: false }, ['a', 'b'], '/do?p=a%2Cb'],
    ['query', { style: 'pipeDelimited', explode: false }, ['a', 'b'], '/do?p=a%7Cb'],
    ['query', { style: 'spaceDelimited', explode: false }, ['a', 'b'], '/do?p=a+b'],
    ['query', { style: 'deepObject' }, { x: 1, y: 'z' }, '/do?p%5Bx%5D=1&p%5By%5D=z'],
    ['query', {}, { x: 1, y: 'z' }, '/do?x=1&y=z'],
    ['query', { content: { 'application/json': { schema: {} } } }, { x: [1] }, '/do?p=%7B%22x%22%3A%5B1%5D%7D'],
    ['query', {}, false, '/do?p=false'],
    ['query', {}, null, '/do'],
  ])('in the %s, written as %j', (where, more, value, url) => {
    expect(sent(parameter(where, more), { p: value }).url).toBe(url);
  });

  test('in the path, where nothing climbs out of it', () => {
    const at = { path: '/a/{p}/b' };
    expect(sent(parameter('path'), { p: 'x/../y?' }, at).url).toBe('/a/x%2F..%2Fy%3F/b');
    expect(sent(parameter('path'), { p: ['1', '2'] }, at).url).toBe('/a/1,2/b');
    for (const p of ['', '.', '..', undefined]) expect(() => sent(parameter('path'), { p }, at)).toThrow(/cannot be/);
  });

  test('in headers, but never in those that are ours', () => {
    expect(sent(parameter('header', { name: 'X-Trace' }), { 'X-Trace': 'é\r\nx' }).headers).toEqual({
      'x-trace': '%C3%A9%0D%0Ax',
    });
    for (const name of ['Authorization', 'Cookie', 'Host', 'Content-Type', 'content-length'])
      expect(one(parameter('header', { name })).operation?.parameters.properties).toEqual({});
    expect(one(parameter('cookie', { required: true })).leftOut).toEqual({ do: 'needs a cookie' });
    expect(one(parameter('cookie')).operation?.inputs).toEqual([]);
  });

  test('in the body, and in two places when both have the name', () => {
    const object = { type: 'object', properties: { p: { type: 'string' }, q: { type: 'number' } }, required: ['q'] };
    const both = { ...parameter('path'), ...json(object) };
    expect(sent(both, { p: 'x', q: 1, r: 2 }, { path: '/{p}' })).toMatchObject({ url: '/x', body: '{"p":"x","q":1}' });
    expect(one(both, { path: '/{p}' }).operation?.parameters.required).toEqual(['p', 'q']);
    expect(sent(json(object, 'application/vnd.api+json'), { q: 1 })).toMatchObject({
      headers: { 'content-type': 'application/vnd.api+json' },
      body: '{"q":1}',
    });
    expect(sent(json(object, 'application/x-www-form-urlencoded'), { p: 'a&b', q: 1 }).body).toBe('p=a%26b&q=1');
    expect(sent(json({ type: 'string' }, 'text/plain'), { body: 'hi' }).body).toBe('hi');
    const open = { ...object, additionalProperties: true };
    expect(sent(json(open), { q: 1, r: 2 }).body).toBe('{"q":1,"r":2}');
  });
});

describe('the schema of a body', () => {
  const member = (name: string, more = {}) => ({ type: 'object', properties: { [name]: { type: 'string', ...more } } });

  test('that is made of parts is one object; what the server sets is not asked for', () => {
    const parts = {
      allOf: [
        { $ref: '#/components/schemas/A' },
        { ...member('b'), required: ['b'] },
        member('id', { readOnly: true }),
      ],
    };
    const { operation } = one(json(parts), { components: { schemas: { A: member('a') } } });
    expect(operation?.parameters).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['b'],
    });
  });

  test.each([
    ['alternatives', { oneOf: [member('a'), member('b')] }, { a: 1 }],
    ['a list', { type: 'array', items: member('a') }, [{ a: 1 }]],
    ['a plain value', { type: 'string' }, 'x'],
    ['an object without known fields', { type: 'object', additionalProperties: true }, { any: 1 }],
  ])('that is %s is one argument', (_what, schema, body) => {
    expect(one(json(schema)).operation?.parameters.properties).toEqual({ body: schema });
    expect(sent(json(schema), { body }).body).toBe(JSON.stringify(body));
  });

  test('that runs in circles, or grows without end, stays small', () => {
    const circle = { type: 'object', properties: { child: { $ref: '#/components/schemas/Node' } } };
    const written = one(json({ $ref: '#/components/schemas/Node' }), { components: { schemas: { Node: circle } } });
    expect(JSON.stringify(written.operation?.parameters)).toContain('"properties":{"child":{}}');
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => {
        const next = { $ref: `#/components/schemas/S${at + 1}` };
        return [`S${at}`, { type: 'object', properties: { a: next, b: next } }];
      }),
    );
    const large = one(json({ $ref: '#/components/schemas/S0' }), { components: { schemas: doubling } });
    expect(JSON.stringify(large.operation?.parameters).length).toBeLessThan(500_000);
  });

  test('that is a file is no tool, and the operator is told', () => {
    const { operation, leftOut } = one(json(member('file', { format: 'binary' }), 'multipart/form-data'));
    expect(operation).toBeUndefined();
    expect(leftOut).toEqual({ do: 'takes multipart/form-data, and tools cannot send files' });
  });
});

test.each([
  [undefined, 'https://a.test/api'],
  ['/', 'https://a.test/api'],
  ['/v2', 'https://a.test/v2'],
  ['v2/', 'https://a.test/api/v2'],
  ['https://a.test/v3', 'https://a.test/v3'],
  ['https://evil.test/v3', 'https://a.test/api'],
  ['//evil.test', 'https://a.test/api'],
  ['http://a.test', 'https://a.test/api'],
])('operations of a document that says %s are called at %s', (given, base) => {
  expect(baseOf(given, 'https://a.test/api', 'https://a.test/api/openapi.json')).toBe(base);
});

test('the nearest server of a document counts, with the values of its variables', () => {
  const servers = [{ url: '/{stage}/v1', variables: { stage: { default: 'live' } } }];
  expect(one({}, { servers: [{ url: '/all' }] }).operation?.server).toBe('/all');
  expect(one({ servers }, { servers: [{ url: '/all' }] }).operation?.server).toBe('/live/v1');
});

test('tools of several servers never share a name, however long it is', () => {
  const tool = (source: string, name: string) => ({
    source,
    name,
    description: '',
    parameters: {},
    isCited: true,
    run: async () => ({ text: '' }),
  });
  const long = 'x'.repeat(64);
  const tools = ['a', 'b', 'a', 'b'].flatMap((source) => [tool(source, 'get'), tool(source, long)]);
  const names = [...withOwnNames(tools).keys()];
  expect(names).toHaveLength(tools.length);
  expect(names.slice(0, 2)).toEqual(['get', long]);
  expect(names).toContain('b_get');
  expect(names.every((name) => name.length <= 64)).toBe(true);
});

describe('over HTTP', () => {
  let shop: Recorder;
  let model = '';
  const operation = (id: string, more = {}) => ({ get: { operationId: id, ...more } });
  beforeAll(async () => {
    model = (await upload(CALLING_MODEL)).id;
    const document = {
      openapi: '3.1.0',
      servers: [{ url: '/v2' }],
      paths: {
        '/who': operation('who', { parameters: [{ name: 'x-svc-user-id', in: 'header', schema: {} }] }),
        '/long': operation('long'),
        '/bytes': operation('bytes'),
        '/nothing': operation('nothing'),
        '/upload': { post: { operationId: 'upload', requestBody: { content: { 'multipart/form-data': {} } } } },
      },
    };
    shop = await aRecorder(({ path }) => {
      if (path === '/openapi.json') return { body: document };
      if (path === '/v2/long') return { body: `start${'x'.repeat(10 * 1024 * 1024)}end` };
      if (path === '/v2/bytes') return { body: '\0\0', headers: { 'content-type': 'application/zip' } };
      if (path === '/v2/nothing') return { status: 200, body: '' };
      return { body: { path } };
    });
  });
  afterAll(() => shop.stop());

  const connected = async (url = host.url) => {
    const id = `s${randomUUID().slice(0, 8)}`;
    await connect({ url: shop.url, info: { id }, config: { access_grants: EVERYONE } }, url);
    return id;
  };
  const ask = (person: Person, id: string, calls: { name: string; args?: object }[], url = host.url) =>
    call(
      'POST /api/chat/completions',
      { model, messages: [{ role: 'user', content: JSON.stringify({ calls }) }], tool_ids: [`server:${id}`] },
      { token: person.token, url },
    ).then(({ body }) => body.choices?.[0]?.message?.content as string);

  test('long answers are cut, bytes and silence become words', async () => {
    const id = await connected();
    const text = await ask(await aUser(), id, [{ name: 'long' }, { name: 'bytes' }, { name: 'nothing' }]);
    expect(text.slice(0, 6)).toBe('startx');
    expect(text).not.toContain('end');
    expect(text).toContain('[The answer is longer than 1 MB; the rest was left out.]');
    expect(text).toMatch(/application\/zip, which is no text.*answered 200 without a word/s);
  });

  test('what cannot be offered is told when the server is tried out', async () => {
    const { token } = await anOperator();
    const { body } = await call(
      'POST /api/v1/configs/tool_servers/verify',
      { url: shop.url, info: { id: 'v' } },
      { token },
    );
    expect(body['x-not-offered']).toEqual({ upload: 'takes multipart/form-data, and tools cannot send files' });
  });

  test('who asks is signed when there is a secret for it, in the place of the plain headers', async () => {
    const person = await aUser();
    const id = await connected(signing.url);
    await ask(person, id, [{ name: 'who', args: { 'x-svc-user-id': 'somebody else' } }], signing.url);
    const headers = shop.seen.findLast(({ path }) => path === '/v2/who')?.headers ?? {};
    const { payload } = await jwtVerify(String(headers['x-svc-user-jwt']), new TextEncoder().encode(SECRET), {
      algorithms: ['HS256'],
      issuer: host.url,
    });
    expect(payload).toMatchObject({ sub: person.userId, email: person.email, name: person.name, role: 'ROLE_USER' });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);
    expect(headers['x-svc-user-email']).toBeUndefined();
    const as = { token: String(headers['x-svc-user-jwt']) };
    expect((await call('GET /api/v1/tools', undefined, as)).status).toBe(401);
  });
});
