import { createHash, randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an authorization server of this kind does; tests change it as they go. */
export interface Behaviour {
  /** Below the origin, without a slash at the end. */
  readonly issuerPath: string;
  /** Which of the well-known addresses answer. */
  readonly wellKnown: readonly string[];
  tokenSeconds: number;
  /** What its metadata says besides the usual. */
  metadata: Record<string, unknown>;
  /** The `iss` of its answers; undefined sends none. */
  iss: string | undefined;
  /** Answers each refresh with this, for as long as it is set. */
  refreshFailure: { readonly status: number; readonly error: string } | undefined;
  /** How long it thinks before it renews a token. */
  refreshDelayMs: number;
  /** Clients that somebody has registered by hand. */
  readonly clients: Map<string, string | undefined>;
}

interface Code {
  readonly clientId: string;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly resource: string;
}

interface Access {
  readonly resource: string;
  readonly until: number;
}

/** Codes with PKCE, rotating refresh tokens that may be used once, resource indicators, registration and revocation. */
export async function startAuthorizationServer(given: Partial<Behaviour> = {}) {
  const behaviour: Behaviour = {
    issuerPath: '',
    wellKnown: ['/.well-known/oauth-authorization-server'],
    tokenSeconds: 3600,
    metadata: {},
    iss: undefined,
    refreshFailure: undefined,
    refreshDelayMs: 0,
    clients: new Map(),
    ...given,
  };
  const state = {
    codes: new Map<string, Code>(),
    access: new Map<string, Access>(),
    refresh: new Map<string, { clientId: string; resource: string }>(),
    spent: new Set<string>(),
    revoked: new Set<string>(),
  };
  /** Every request to the token endpoint: its form and how the client showed itself. */
  const asked: { form: Record<string, string>; authorization: string | undefined }[] = [];
  const paths: string[] = [];
  let base = '';

  const server = http.createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
      const url = new URL(request.url ?? '/', base);
      paths.push(url.pathname);
      const { status = 200, headers = {}, json } = await answer(request, url, body);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json ?? {}));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `${base}${behaviour.issuerPath}`;

  async function answer(request: http.IncomingMessage, url: URL, body: string): Promise<Reply> {
    if (behaviour.wellKnown.includes(url.pathname)) return { json: metadata() };
    if (url.pathname === '/authorize') return authorize(url.searchParams);
    if (url.pathname === '/register') return register(body);
    if (url.pathname === '/revoke') return revoke(new URLSearchParams(body));
    if (url.pathname === '/token') {
      const form = new URLSearchParams(body);
      asked.push({ form: Object.fromEntries(form), authorization: request.headers.authorization });
      if (!isClient(form, request.headers.authorization)) return refuse('invalid_client', 401);
      return form.get('grant_type') === 'refresh_token' ? renew(form) : exchange(form);
    }
    return { status: 404 };
  }

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
    revocation_endpoint: `${base}/revoke`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    ...behaviour.metadata,
  });

  function register(body: string): Reply {
    const client_id = `dynamic-${randomUUID()}`;
    behaviour.clients.set(client_id, undefined);
    return { status: 201, json: { ...(JSON.parse(body) as object), client_id } };
  }

  /** The user always agrees. */
  function authorize(asks: URLSearchParams): Reply {
    const [clientId, redirectUri] = [asks.get('client_id') ?? '', asks.get('redirect_uri') ?? ''];
    if (!behaviour.clients.has(clientId)) return { status: 400, json: { error: 'unknown client' } };
    if (asks.get('code_challenge_method') !== 'S256' || !asks.get('resource')) return { status: 400 };
    const code = randomUUID();
    const challenge = asks.get('code_challenge') ?? '';
    state.codes.set(code, { clientId, challenge, redirectUri, resource: asks.get('resource') ?? '' });
    const back = new URL(redirectUri);
    back.searchParams.set('code', code);
    back.searchParams.set('state', asks.get('state') ?? '');
    if (behaviour.iss !== undefined) back.searchParams.set('iss', behaviour.iss);
    return { status: 302, headers: { location: back.href } };
  }

  function isClient(form: URLSearchParams, authorization: string | undefined): boolean {
    const basic = authorization?.startsWith('Basic ') ? Buffer.from(authorization.slice(6), 'base64').toString() : '';
    const [id, secret] = basic.split(':').map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
    const clientId = id || (form.get('client_id') ?? '');
    form.set('client_id', clientId);
    const wanted = behaviour.clients.get(clientId);
    return (
      behaviour.clients.has(clientId) && (wanted === undefined || wanted === (secret ?? form.get('client_secret')))
    );
  }

  function exchange(form: URLSearchParams): Reply {
    const code = state.codes.get(form.get('code') ?? '');
    state.codes.delete(form.get('code') ?? '');
    const shown = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isTheirs = code?.clientId === form.get('client_id') && code?.redirectUri === form.get('redirect_uri');
    if (!code || !isTheirs || code.challenge !== shown) return refuse('invalid_grant');
    if (form.get('resource') !== code.resource) return refuse('invalid_target');
    return give(code.clientId, code.resource);
  }

  async function renew(form: URLSearchParams): Promise<Reply> {
    await new Promise((resolve) => setTimeout(resolve, behaviour.refreshDelayMs));
    if (behaviour.refreshFailure) return refuse(behaviour.refreshFailure.error, behaviour.refreshFailure.status);
    const token = form.get('refresh_token') ?? '';
    const known = state.refresh.get(token);
    // A token that comes twice was stolen: everything that came of it ends.
    if (state.spent.has(token)) state.refresh.clear();
    if (!known || state.spent.has(token) || known.clientId !== form.get('client_id')) return refuse('invalid_grant');
    state.spent.add(token);
    state.refresh.delete(token);
    return give(known.clientId, known.resource);
  }

  function give(clientId: string, resource: string): Reply {
    const [access_token, refresh_token] = [randomUUID(), randomUUID()];
    state.access.set(access_token, { resource, until: Date.now() + behaviour.tokenSeconds * 1000 });
    state.refresh.set(refresh_token, { clientId, resource });
    return { json: { access_token, refresh_token, token_type: 'Bearer', expires_in: behaviour.tokenSeconds } };
  }

  function revoke(form: URLSearchParams): Reply {
    state.revoked.add(form.get('token') ?? '');
    return {};
  }

  return {
    url: base,
    issuer,
    behaviour,
    asked,
    paths,
    revoked: state.revoked,
    /** Whether a resource may let this token in. */
    isGood(authorization: string | undefined, resource: string): boolean {
      const access = state.access.get((authorization ?? '').replace(/^Bearer /, ''));
      return access !== undefined && access.resource === resource && access.until > Date.now();
    },
    hasLiveAccess: () => [...state.access.values()].some(({ until }) => until > Date.now()),
    /** As an administrator would, who ends every session. */
    endAccess: () => state.access.clear(),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type AuthorizationServer = Awaited<ReturnType<typeof startAuthorizationServer>>;

interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
}

const refuse = (error: string, status = 400): Reply => ({ status, json: { error, error_description: '<b>no</b>' } });
