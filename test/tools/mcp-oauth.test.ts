import { createHash, randomUUID } from 'node:crypto';
import http from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVERYONE, upload } from '../plugins/support/plugin.ts';
import { call } from '../support/call.ts';
import { aUser, type Person } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { CALLING_MODEL, connect, startEverything, started, stopped } from './support.ts';

/** The MCP test server behind an authorization server that checks PKCE and knows who was given what. */
const codes = new Map<string, string>();
const given = new Set<string>();
let everything: Awaited<ReturnType<typeof startEverything>>;
let guarded: http.Server;
let url = '';
let contacts = 0;
let model = '';

beforeAll(async () => {
  everything = await startEverything();
  guarded = http.createServer((request, response) => void handle(request, response));
  url = await started(guarded);
  model = (await upload(CALLING_MODEL)).id;
}, 40_000);
afterAll(async () => {
  await stopped(guarded);
  await everything.stop();
});

async function handle(request: http.IncomingMessage, response: http.ServerResponse) {
  contacts += 1;
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
  const path = new URL(request.url ?? '/', url).pathname;
  const json = (value: unknown, status = 200, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
  if (path.startsWith('/.well-known/oauth-protected-resource'))
    return json({ resource: `${url}/mcp`, authorization_servers: [url] });
  if (path.startsWith('/.well-known/oauth-authorization-server'))
    return json({
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      registration_endpoint: `${url}/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    });
  if (path === '/register') return json({ ...(JSON.parse(body) as object), client_id: 'client-1' }, 201);
  if (path === '/token') return json(...tokenFor(new URLSearchParams(body)));
  if (!given.has(request.headers.authorization ?? ''))
    return json({}, 401, {
      'www-authenticate': `Bearer resource_metadata="${url}/.well-known/oauth-protected-resource"`,
    });
  const options = { port: everything.port, host: '127.0.0.1', path, method: request.method, headers: request.headers };
  const onward = http.request(options, (incoming) => {
    response.writeHead(incoming.statusCode ?? 502, incoming.headers);
    incoming.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  return onward.end(body);
}

function tokenFor(form: URLSearchParams): [unknown, number] {
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  if (codes.get(form.get('code') ?? '') !== challenge) return [{ error: 'invalid_grant' }, 400];
  const access_token = randomUUID();
  given.add(`Bearer ${access_token}`);
  return [{ access_token, token_type: 'bearer', expires_in: 3600 }, 200];
}

const aServer = async () => {
  const id = `o${randomUUID().slice(0, 8)}`;
  await connect({
    url: `${url}/mcp`,
    type: 'mcp',
    auth_type: 'oauth_2.1',
    info: { id },
    config: { access_grants: EVERYONE },
  });
  return id;
};
const use = ({ token }: Person, id: string) => {
  const content = JSON.stringify({ calls: [{ name: `${id}_echo`, args: { message: 'let in' } }] });
  const body = { model, messages: [{ role: 'user', content }], tool_ids: [`server:mcp:${id}`] };
  return call('POST /api/chat/completions', body, { token });
};
const visit = (path: string, { token }: Person) => call(`GET ${path}`, undefined, { token });

/** What the authorization page does when the user agrees. */
function agree(location: string) {
  const asked = new URL(location).searchParams;
  const code = randomUUID();
  codes.set(code, asked.get('code_challenge') ?? '');
  return `code=${code}&state=${asked.get('state')}`;
}

verifies(
  'tools/mcp-oauth-first',
  'an MCP server with OAuth is refused, unasked, until the user has been through its flow',
  async () => {
    const person = await aUser();
    const id = await aServer();
    const before = contacts;
    const refused = await use(person, id);
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { authorize: `/oauth/clients/mcp:${id}/authorize` } },
    });
    expect(contacts).toBe(before);
    const leaving = await visit(`/oauth/clients/mcp:${id}/authorize`, person);
    expect(leaving.status).toBe(302);
    const location = leaving.headers.get('location') ?? '';
    expect(location).toMatch(/\/authorize\?.*code_challenge_method=S256/);
    const back = await visit(`/oauth/clients/mcp:${id}/callback?${agree(location)}`, person);
    expect(back.headers.get('location')).toBe('/');
    const answer = await use(person, id);
    expect(answer.body.choices[0].message.content).toBe('Echo: let in');
    expect((await use(await aUser(), id)).status).toBe(403);
    const { body } = await visit('/api/v1/tools', person);
    expect(body).toContainEqual(expect.objectContaining({ id: `server:mcp:${id}`, authenticated: true }));
    expect((await call(`DELETE /oauth/clients/mcp:${id}/session`, undefined, { token: person.token })).body).toBe(true);
    expect((await use(person, id)).status).toBe(403);
  },
  30_000,
);

test('nobody finishes the flow of somebody else, twice, or without having begun it', async () => {
  const [person, other] = await Promise.all([aUser(), aUser()]);
  const id = await aServer();
  const path = `/oauth/clients/mcp:${id}`;
  const left = await visit(`${path}/authorize`, person);
  const answer = agree(left.headers.get('location') ?? '');
  const stolen = await visit(`${path}/callback?${answer}`, other);
  expect(stolen.headers.get('location')).toMatch(/^\/\?error=/);
  const late = await visit(`${path}/callback?${answer}`, person);
  expect(late.headers.get('location')).toMatch(/^\/\?error=/);
  const denied = await visit(`${path}/callback?error=access_denied`, person);
  expect(denied.headers.get('location')).toBe('/?error=access_denied');
  expect((await use(other, id)).status).toBe(403);
});
