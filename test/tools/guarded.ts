import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { EVERYONE } from '../plugins/support/plugin.ts';
import type { AuthorizationServer } from '../support/authorization-server.ts';
import { call } from '../support/call.ts';
import { anOperator, type Person } from '../support/people.ts';
import { connect, started, stopped } from './support.ts';

/** An MCP server that lets in whom an authorization server has let through. */
export async function startGuarded(port: number, authorization: AuthorizationServer, options: GuardOptions = {}) {
  let url = '';
  let contacts = 0;
  const metadata = () => ({
    resource: `${url}/mcp`,
    authorization_servers: [authorization.issuer],
    ...options.metadata?.(url),
  });
  const server = http.createServer((request, response) => {
    contacts += 1;
    const path = new URL(request.url ?? '/', url).pathname;
    const json = (value: unknown, status = 200, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    if (path === (options.describedAt ?? '/.well-known/oauth-protected-resource/mcp')) return json(metadata());
    if (path !== '/mcp') return json({}, 404);
    if (!authorization.isGood(request.headers.authorization, `${url}/mcp`))
      return json({}, 401, { 'www-authenticate': options.challenge?.(url) ?? 'Bearer' });
    return pass(port, request, response);
  });
  url = await started(server);
  return { url, contacts: () => contacts, stop: () => stopped(server) };
}

export interface GuardOptions {
  readonly describedAt?: string;
  readonly challenge?: (url: string) => string;
  readonly metadata?: (url: string) => Record<string, unknown>;
}

function pass(port: number, request: http.IncomingMessage, response: http.ServerResponse) {
  const { url: path, method, headers } = request;
  const onward = http.request({ port, host: '127.0.0.1', path, method, headers }, (incoming) => {
    response.writeHead(incoming.statusCode ?? 502, incoming.headers);
    incoming.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  return request.pipe(onward);
}

interface Wanted {
  readonly auth_type?: string;
  readonly info?: Record<string, unknown>;
}

/** The same as operators write it. */
export const described = (url: string, { auth_type = 'oauth_2.1', info = {} }: Wanted = {}) => ({
  url: `${url}/mcp`,
  type: 'mcp',
  auth_type,
  info: { id: `o${randomUUID().slice(0, 8)}`, ...info },
  config: { access_grants: EVERYONE },
});

export async function aServer(url: string, wanted?: Wanted): Promise<string> {
  const input = described(url, wanted);
  await connect(input);
  return input.info.id;
}

export const verify = async (input: Record<string, unknown>) =>
  call('POST /api/v1/configs/tool_servers/verify', input, { token: (await anOperator()).token });

export const visit = (path: string, { token }: Person, url?: string) => call(`GET ${path}`, undefined, { token, url });

/** Leaves for the authorization server, agrees there and says with what it sent the browser back. */
export async function travel(id: string, person: Person): Promise<{ location: URL; back: URL }> {
  const left = await visit(`/oauth/clients/mcp:${id}/authorize`, person);
  const location = new URL(left.headers.get('location') ?? `error:${JSON.stringify(left.body)}`);
  const agreed = await fetch(location, { redirect: 'manual' });
  return { location, back: new URL(agreed.headers.get('location') ?? `error:${agreed.status}`) };
}

/** The whole way; the address the browser ends at. */
export async function authorize(id: string, person: Person): Promise<string> {
  const { back } = await travel(id, person);
  const end = await visit(`${back.pathname}${back.search}`, person);
  return end.headers.get('location') ?? '';
}
