import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSeal } from '../../shared/seal/seal.ts';
import type { Millis } from '../../shared/time.ts';
import { createOauthStore } from '../../shared/tools/oauth/store.ts';
import { readToolServer } from '../../shared/tools/server-store.ts';
import { useHost } from '../plugins/support/own-host.ts';
import { upload } from '../plugins/support/plugin.ts';
import { startAuthorizationServer, type AuthorizationServer } from '../support/authorization-server.ts';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { anOperator, aUser, type Person } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { aServer, authorize, described, startGuarded, travel, verify, visit, type GuardOptions } from './guarded.ts';
import { CALLING_MODEL, connect, startEverything } from './support.ts';

let everything: Awaited<ReturnType<typeof startEverything>>;
let model = '';
const running: { stop(): Promise<void> }[] = [];
/** A second process of the same installation. */
const neighbour = useHost({ AWS_ENDPOINT_URL_KMS: host.endpoints.aws });

beforeAll(async () => {
  everything = await startEverything();
  model = (await upload(CALLING_MODEL)).id;
}, 40_000);
afterAll(async () => {
  await Promise.all(running.map((server) => server.stop()));
  await everything.stop();
});

async function aPair(behaviour?: Parameters<typeof startAuthorizationServer>[0], options?: GuardOptions) {
  const authorization = await startAuthorizationServer(behaviour);
  const guarded = await startGuarded(everything.port, authorization, options);
  running.push(authorization, guarded);
  return { authorization, guarded };
}

const use = ({ token }: Person, id: string, { calls = 1, url = undefined as string | undefined } = {}) => {
  const content = JSON.stringify({
    calls: Array.from({ length: calls }, () => ({ name: `${id}_echo`, args: { message: 'let in' } })),
  });
  const body = { model, messages: [{ role: 'user', content }], tool_ids: [`server:mcp:${id}`] };
  return call('POST /api/chat/completions', body, { token, url });
};
const textOf = ({ body }: Awaited<ReturnType<typeof call>>) => body.choices?.[0]?.message?.content as string;
const refreshes = ({ asked }: AuthorizationServer) => asked.filter(({ form }) => form.grant_type === 'refresh_token');

describe('the way through the authorization of a server', () => {
  verifies(
    'tools/mcp-oauth-first',
    'has to be gone by the user before the server is even contacted',
    async () => {
      const { authorization, guarded } = await aPair();
      const person = await aUser();
      const id = await aServer(guarded.url);
      const before = guarded.contacts();
      expect(await use(person, id)).toMatchObject({
        status: 403,
        body: { error: { authorize: `/oauth/clients/mcp:${id}/authorize` } },
      });
      expect(guarded.contacts()).toBe(before);
      expect(await authorize(id, person)).toBe('/');
      expect(textOf(await use(person, id))).toBe('Echo: let in');
      expect((await use(await aUser(), id)).status).toBe(403);
      const { body } = await visit('/api/v1/tools', person);
      expect(body).toContainEqual(expect.objectContaining({ id: `server:mcp:${id}`, authenticated: true }));
      const as = { token: person.token };
      expect((await call(`DELETE /oauth/clients/mcp:${id}/session`, undefined, as)).body).toBe(true);
      expect(authorization.revoked.size).toBe(1);
      expect((await use(person, id)).status).toBe(403);
      expect((await call(`DELETE /api/v1/auths/oauth/sessions/mcp:${id}`, undefined, as)).status).toBe(404);
    },
    30_000,
  );

  test('asks for a code with PKCE, for this server only, and shows it with the verifier', async () => {
    const { authorization, guarded } = await aPair();
    const person = await aUser();
    const id = await aServer(guarded.url, { info: { oauth_scope: 'read write' } });
    const { location, back } = await travel(id, person);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      resource: `${guarded.url}/mcp`,
      scope: 'read write',
    });
    await visit(`${back.pathname}${back.search}`, person);
    expect(authorization.asked.at(-1)?.form).toMatchObject({
      resource: `${guarded.url}/mcp`,
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test('is not finished for somebody else, twice, late, or without having been begun', async () => {
    const { guarded } = await aPair();
    const [person, other] = await Promise.all([aUser(), aUser()]);
    const id = await aServer(guarded.url);
    const { back } = await travel(id, person);
    const end = async (who: Person, query: string) =>
      decodeURIComponent((await visit(`${back.pathname}${query}`, who)).headers.get('location') ?? '');
    expect(await end(other, back.search)).toMatch(/^\/\?error=This authorization was not begun here/);
    expect(await end(person, back.search)).toMatch(/^\/\?error=This authorization was not begun here/);
    expect(await end(person, '?code=a&state=b')).toMatch(/not begun here/);
    expect(await end(person, '?code=a')).toMatch(/not begun here/);
    expect(await end(person, '?error=Call+0900')).toMatch(/not begun here/);
    expect((await use(person, id)).status).toBe(403);
    expect((await use(other, id)).status).toBe(403);
  });

  test('is given up after ten minutes', async () => {
    const { guarded } = await aPair();
    const person = await aUser();
    const input = described(guarded.url);
    await connect(input);
    const server = await readToolServer(input.info.id);
    if (!server) throw new Error('The server was not saved');
    const begin = async (minutesAgo: number) => {
      const then = () => (Date.now() - minutesAgo * 60_000) as Millis;
      const state = randomUUID();
      await createOauthStore(createSeal(), then).beginFlow(
        state,
        { server, userId: person.userId },
        {
          issuer: guarded.url,
          token_endpoint: `${guarded.url}/nothing`,
          auth_methods: [],
          resource: server.url,
          client: { id: 'c' },
          verifier: 'v',
          redirect_uri: 'r',
          names_issuer: false,
        },
      );
      const end = await visit(`/oauth/clients/mcp:${server.id}/callback?code=c&state=${state}`, person);
      return decodeURIComponent(end.headers.get('location') ?? '');
    };
    expect(await begin(11)).toMatch(/not begun here, or took too long/);
    expect(await begin(9)).toMatch(/answered 404 without a token/);
  });

  test('ends with the reason when the user does not agree, and never leads elsewhere', async () => {
    const { guarded } = await aPair();
    const person = await aUser();
    const id = await aServer(guarded.url, { info: { name: 'Box' } });
    const denied = async (error: string) => {
      const { back } = await travel(id, person);
      const state = back.searchParams.get('state');
      const end = await visit(`${back.pathname}?state=${state}&error=${encodeURIComponent(error)}`, person);
      return decodeURIComponent(end.headers.get('location') ?? '');
    };
    expect(await denied('access_denied')).toBe('/?error=Box cannot be authorized: access_denied');
    expect(await denied('https://evil.test <b>')).toBe('/?error=Box cannot be authorized: refused');
  });

  test('is open only to whom the server is granted', async () => {
    const { guarded } = await aPair();
    const input = { ...described(guarded.url), config: { access_grants: [] } };
    await connect(input);
    const person = await aUser();
    expect((await visit(`/oauth/clients/mcp:${input.info.id}/authorize`, person)).status).toBe(404);
    expect((await visit(`/oauth/clients/${input.info.id}/authorize`, person)).status).toBe(404);
  });

  test('does not end here when the answer names another authorization server, or should name one and does not', async () => {
    const { authorization, guarded } = await aPair();
    const person = await aUser();
    const id = await aServer(guarded.url);
    authorization.behaviour.iss = 'https://evil.test';
    expect(decodeURIComponent(await authorize(id, person))).toMatch(/came from another authorization server/);
    authorization.behaviour.metadata = { authorization_response_iss_parameter_supported: true };
    authorization.behaviour.iss = undefined;
    expect(decodeURIComponent(await authorize(id, person))).toMatch(/came from another authorization server/);
    expect(authorization.asked).toHaveLength(0);
    authorization.behaviour.iss = authorization.issuer;
    expect(await authorize(id, person)).toBe('/');
  });
});

describe('the authorization server', () => {
  test.each([
    ['below a path', '/tenant', '/.well-known/oauth-authorization-server/tenant'],
    ['as an OpenID provider', '/tenant', '/.well-known/openid-configuration/tenant'],
    ['as an OpenID provider of the older kind', '/tenant', '/tenant/.well-known/openid-configuration'],
    ['as an OpenID provider at the root', '', '/.well-known/openid-configuration'],
  ])('is found %s', async (_where, issuerPath, at) => {
    const { guarded } = await aPair({ issuerPath, wellKnown: [at] });
    const person = await aUser();
    const id = await aServer(guarded.url);
    expect(await authorize(id, person)).toBe('/');
    expect(textOf(await use(person, id))).toBe('Echo: let in');
  });

  test('is found where the refusal of the server says, or at its root', async () => {
    const elsewhere = { describedAt: '/about', challenge: (url: string) => `Bearer resource_metadata="${url}/about"` };
    for (const options of [elsewhere, { describedAt: '/.well-known/oauth-protected-resource' }]) {
      const { guarded } = await aPair({}, options);
      expect((await verify(described(guarded.url))).body.status).toBe(true);
    }
  });

  test('is not used when it is not who it should be, or without PKCE', async () => {
    const { authorization, guarded } = await aPair();
    const refused = async (metadata: Record<string, unknown>) => {
      authorization.behaviour.metadata = metadata;
      return (await verify(described(guarded.url))).body.detail as string;
    };
    expect(await refused({ issuer: 'https://evil.test' })).toMatch(/it says that it is https:\/\/evil\.test/);
    expect(await refused({ code_challenge_methods_supported: ['plain'] })).toMatch(/PKCE with S256/);
    expect(await refused({ code_challenge_methods_supported: undefined })).toMatch(/PKCE with S256/);
    expect(await refused({ authorization_endpoint: 'javascript:alert(1)' })).toMatch(/nothing at .* describes/);
    const inside = { metadata: () => ({ authorization_servers: ['http://169.254.169.254'] }) };
    const { guarded: spy } = await aPair({}, inside);
    expect((await verify(described(spy.url))).body.detail).toMatch(/169\.254\.169\.254 is not a public address/);
    const { guarded: liar } = await aPair({}, { metadata: () => ({ resource: 'https://bank.test/mcp' }) });
    expect((await verify(described(liar.url))).body.detail).toMatch(/it says that it is https:\/\/bank\.test/);
  });
});

describe('a token', () => {
  const connected = async (behaviour: Parameters<typeof startAuthorizationServer>[0] = {}) => {
    const pair = await aPair(behaviour);
    const person = await aUser();
    const id = await aServer(pair.guarded.url);
    expect(await authorize(id, person)).toBe('/');
    return { ...pair, person, id };
  };

  test('that has run out is renewed once, whoever asks at the same time in whichever process', async () => {
    const { authorization, person, id } = await connected({ tokenSeconds: 1, refreshDelayMs: 300 });
    await expect.poll(() => authorization.hasLiveAccess(), { timeout: 10_000 }).toBe(false);
    authorization.behaviour.tokenSeconds = 3600;
    const answers = await Promise.all([
      use(person, id),
      use(person, id, { calls: 3 }),
      use(person, id, { url: neighbour.url }),
      use(person, id, { url: neighbour.url }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(textOf(answers[2])).toBe('Echo: let in');
    expect(refreshes(authorization)).toHaveLength(1);
  }, 30_000);

  test('that is rejected before its time is renewed, with the refresh token that came last', async () => {
    const { authorization, person, id } = await connected();
    for (const round of [1, 2, 3]) {
      authorization.endAccess();
      expect(textOf(await use(person, id))).toBe('Echo: let in');
      expect(refreshes(authorization)).toHaveLength(round);
    }
    expect(new Set(refreshes(authorization).map(({ form }) => form.refresh_token)).size).toBe(3);
    expect(refreshes(authorization)[0]?.form).toMatchObject({ resource: expect.stringMatching(/\/mcp$/) });
  }, 30_000);

  test('that cannot be renewed any more sends the user through the authorization again', async () => {
    const { authorization, person, id } = await connected();
    authorization.endAccess();
    authorization.behaviour.refreshFailure = { status: 400, error: 'invalid_grant' };
    const refused = await use(person, id);
    expect(refused).toMatchObject({
      status: 403,
      body: { detail: expect.stringMatching(/has to be connected again/) },
    });
    const { body } = await visit('/api/v1/tools', person);
    expect(body).toContainEqual(expect.objectContaining({ id: `server:mcp:${id}`, authenticated: false }));
    authorization.behaviour.refreshFailure = undefined;
    expect(await authorize(id, person)).toBe('/');
    expect(textOf(await use(person, id))).toBe('Echo: let in');
  });

  test('is kept when the authorization server is merely out of order', async () => {
    const { authorization, person, id } = await connected();
    authorization.endAccess();
    authorization.behaviour.refreshFailure = { status: 503, error: 'temporarily_unavailable' };
    expect((await use(person, id)).status).toBe(502);
    authorization.behaviour.refreshFailure = undefined;
    expect(textOf(await use(person, id))).toBe('Echo: let in');
  });
});

describe('a client that an operator gives', () => {
  const secret = 's3cret: 100% +&';
  const withClient = (behaviour: Parameters<typeof startAuthorizationServer>[0] = {}) =>
    aPair({ ...behaviour, clients: new Map([['house', secret]]), metadata: { registration_endpoint: undefined } });
  const given = { oauth_client_id: 'house', oauth_client_secret: secret };

  test.each([['client_secret_basic'], ['client_secret_post']])(
    'is used with its secret, shown by %s, and never shown to anybody else',
    async (method) => {
      const { authorization, guarded } = await withClient();
      authorization.behaviour.metadata['token_endpoint_auth_methods_supported'] = [method];
      const person = await aUser();
      const id = await aServer(guarded.url, { auth_type: 'oauth_2.1_static', info: given });
      expect(await authorize(id, person)).toBe('/');
      expect(textOf(await use(person, id))).toBe('Echo: let in');
      const [asked] = authorization.asked;
      expect(asked?.authorization?.startsWith('Basic ') ?? false).toBe(method === 'client_secret_basic');
      const { token } = await anOperator();
      const { body } = await call('GET /api/v1/configs/tool_servers', undefined, { token });
      expect(JSON.stringify(body)).not.toContain('s3cret');
      expect(body.TOOL_SERVER_CONNECTIONS).toContainEqual(
        expect.objectContaining({
          info: expect.objectContaining({ id, oauth_client_id: 'house', has_oauth_client_secret: true }),
        }),
      );
    },
  );

  test('keeps its secret when the server is saved without it, and loses it when the server moves', async () => {
    const { authorization, guarded } = await withClient();
    const id = await aServer(guarded.url, { auth_type: 'oauth_2.1_static', info: given });
    const input = described(guarded.url, { auth_type: 'oauth_2.1_static', info: { id, oauth_client_id: 'house' } });
    await connect(input);
    expect(await authorize(id, await aUser())).toBe('/');
    const { guarded: other } = await aPair();
    await connect({ ...input, url: `${other.url}/mcp` });
    const { body } = await call('GET /api/v1/configs/tool_servers', undefined, { token: (await anOperator()).token });
    const saved = body.TOOL_SERVER_CONNECTIONS.find((one: { info: { id: string } }) => one.info.id === id);
    expect(saved.info.has_oauth_client_secret).toBe(false);
    expect(authorization.asked).toHaveLength(1);
  });

  test('is not shown to another authorization server that the tool server names later', async () => {
    const { authorization, guarded } = await withClient();
    const thief = await startAuthorizationServer({ clients: new Map([['house', undefined]]) });
    running.push(thief);
    let named = authorization.issuer;
    const turned = await startGuarded(everything.port, authorization, {
      metadata: () => ({ authorization_servers: [named] }),
    });
    running.push(turned);
    expect(guarded.url).not.toBe(turned.url);
    const id = await aServer(turned.url, { auth_type: 'oauth_2.1_static', info: given });
    const person = await aUser();
    expect(await authorize(id, person)).toBe('/');
    named = thief.issuer;
    const refused = await visit(`/oauth/clients/mcp:${id}/authorize`, person);
    expect(refused).toMatchObject({ status: 502, body: { detail: expect.stringContaining('its client is one of') } });
    expect(thief.asked).toHaveLength(0);
  });

  test('is needed by oauth_2.1_static, and by servers that register nobody', async () => {
    const { guarded } = await withClient();
    const { token } = await anOperator();
    const input = described(guarded.url, { auth_type: 'oauth_2.1_static' });
    const put = await call(`PUT /api/v1/configs/tool_servers/${input.info.id}`, input, { token });
    expect(put).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'info', 'oauth_client_id'] }] } });
    const dynamic = await verify(described(guarded.url));
    expect(dynamic).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/\/callback.*oauth_2\.1_static/) },
    });
  });
});

describe('operators', () => {
  const register = async (body: Record<string, unknown>) =>
    call('POST /api/v1/configs/oauth/clients/register?type=mcp', body, { token: (await anOperator()).token });

  test('register a client before they save the server, and see nothing of it', async () => {
    const { authorization, guarded } = await aPair();
    const input = described(guarded.url);
    const { status, body } = await register({ url: input.url, client_id: input.info.id });
    expect({ status, body }).toMatchObject({ status: 200, body: { status: true } });
    const oauth_client_info = body.oauth_client_info as string;
    expect(oauth_client_info).not.toContain('dynamic-');
    await connect({ ...input, info: { ...input.info, oauth_client_info } });
    const before = authorization.paths.filter((path) => path === '/register').length;
    expect(await authorize(input.info.id, await aUser())).toBe('/');
    expect(authorization.paths.filter((path) => path === '/register')).toHaveLength(before);
    const { token } = await anOperator();
    for (const wrong of [{ id: 'other' }, { oauth_client_info: 'v1.a.b.c' }]) {
      const info = { ...input.info, oauth_client_info, ...wrong };
      const put = await call(`PUT /api/v1/configs/tool_servers/${info.id}`, { ...input, info }, { token });
      expect(put).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'info', 'oauth_client_info'] }] } });
    }
  });

  test('register a client of their own with its secret', async () => {
    const { guarded } = await aPair({
      clients: new Map([['house', 'hush']]),
      metadata: { registration_endpoint: undefined },
    });
    const input = described(guarded.url, { auth_type: 'oauth_2.1_static' });
    const { body } = await register({ url: input.url, client_id: 'house', client_secret: 'hush' });
    await connect({ ...input, info: { ...input.info, oauth_client_info: body.oauth_client_info } });
    expect(await authorize(input.info.id, await aUser())).toBe('/');
    expect((await register({ url: 'http://127.0.0.1:9/mcp', client_id: 'x' })).status).toBe(400);
  });

  test('are told who authorizes the users of a server, and which ways there are not', async () => {
    const { authorization, guarded } = await aPair();
    expect(await verify(described(guarded.url))).toMatchObject({
      status: 200,
      body: {
        status: true,
        login_required: true,
        resource: `${guarded.url}/mcp`,
        oauth_server_metadata: { issuer: authorization.issuer },
      },
    });
    expect((await verify(described(guarded.url, { auth_type: 'none' }))).body.detail).toMatch(
      /it answered 401.*oauth_2\.1/,
    );
    for (const [auth_type, why] of [
      ['session', /never sent to tool servers/],
      ['system_oauth', /identity provider/],
      ['magic', /none of none, bearer/],
    ] as const) {
      const { status, body } = await verify(described(guarded.url, { auth_type }));
      expect({ status, detail: body.detail[0].msg }).toEqual({ status: 422, detail: expect.stringMatching(why) });
    }
  });
});
