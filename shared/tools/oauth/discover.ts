import type { ToolServer } from '../server.ts';
import { cannotAuthorize, type Ask } from './ask.ts';
import {
  challengeOf,
  flawOf,
  isResourceOf,
  ResourceMetadata,
  resourceMetadataUrls,
  ServerMetadata,
  serverMetadataUrls,
  type Challenge,
} from './metadata.ts';

/** Who authorizes access to a tool server, and for what. */
export interface Discovery {
  readonly metadata: ServerMetadata;
  /** The resource indicator (RFC 8707): what is given is good for this server and no other. */
  readonly resource: string;
  readonly scope: string | undefined;
}

type Known = Pick<ToolServer, 'name' | 'url' | 'oauth'>;

/** Asks the server itself first, then where the standards say that the answer lies. */
export async function discover(ask: Ask, server: Known, headers: Readonly<Record<string, string>>): Promise<Discovery> {
  const challenge = await challenged(ask, server, headers);
  const resource = await readResource(ask, server, challenge);
  if (resource && !isResourceOf(resource.resource, server.url))
    throw cannotAuthorize(server, `it says that it is ${resource.resource}`);
  // Servers older than the standard are their own authorization server.
  const issuer = server.oauth?.server_url ?? resource?.authorization_servers?.[0] ?? new URL(server.url).origin;
  return {
    metadata: await readServer(ask, server, issuer),
    resource: resource?.resource ?? server.url,
    scope: server.oauth?.scope ?? challenge?.scope ?? (resource?.scopes_supported?.join(' ') || undefined),
  };
}

const PING = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' });

async function challenged(ask: Ask, { url }: Known, headers: Readonly<Record<string, string>>) {
  const accept = 'application/json, text/event-stream';
  const sent = { ...headers, accept, 'content-type': 'application/json' };
  const { status, challenge } = await ask(url, { method: 'POST', headers: sent, body: PING });
  return status === 401 ? challengeOf(challenge) : undefined;
}

async function readResource(ask: Ask, { url }: Known, challenge: Challenge | undefined) {
  const urls = challenge?.resourceMetadata ? [challenge.resourceMetadata] : resourceMetadataUrls(url);
  for (const at of urls) {
    const { status, body } = await ask(at);
    const read = status === 200 ? ResourceMetadata.safeParse(body) : undefined;
    if (read?.success) return read.data;
  }
  return undefined;
}

async function readServer(ask: Ask, server: Known, issuer: string): Promise<ServerMetadata> {
  for (const at of serverMetadataUrls(issuer)) {
    const { status, body } = await ask(at);
    if (status >= 500) throw cannotAuthorize(server, `${issuer} answered ${status}`);
    const read = status === 200 ? ServerMetadata.safeParse(body) : undefined;
    if (!read?.success) continue;
    const flaw = flawOf(read.data, issuer, server.url.startsWith('https:'));
    if (flaw !== undefined) throw cannotAuthorize(server, `of its authorization server, ${flaw}`);
    return read.data;
  }
  throw cannotAuthorize(server, `nothing at ${issuer} describes an authorization server`);
}
