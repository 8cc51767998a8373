import { AppError } from '../errors.ts';
import { log } from '../log.ts';
import type { Endpoint } from './api.ts';
import { failureResponse } from './failure.ts';
import { MAX_BINARY_BODY, MAX_TEXT_BODY } from './parse.ts';
import { pathOf, type HttpRequest } from './request.ts';
import type { Connection, Method, Route } from './route.ts';
import { createRouter, type Match } from './router.ts';
import type { Answered } from './streamed.ts';

/** A whole host behind one function: what the three adapters (HTTP API, function URL, node:http) call. */
export type Serve = (request: HttpRequest, connection: Connection) => Promise<Answered>;

export interface ServeOptions {
  /** Origins that browsers may call from; `*` is any, then without credentials. */
  readonly corsOrigins?: readonly string[];
}

export function createServe(endpoints: readonly Endpoint[], options: ServeOptions = {}): Serve {
  const router = createRouter(endpoints.map((e) => ({ method: e.route.method, path: e.route.path, target: e })));
  const cors = corsHeaders(options.corsOrigins ?? ['*']);
  return async (request, connection) => {
    const startedAt = performance.now();
    const match = router.match(pathOf(request));
    const response = await answer(request, match, connection);
    decorate(response.headers, cors(request), connection.requestId);
    if (match?.byMethod.size) {
      log.info('request', {
        requestId: connection.requestId,
        route: `${request.method} ${routePath(match)}`,
        status: response.status,
        ms: Math.round(performance.now() - startedAt),
      });
    }
    return response;
  };
}

async function answer(request: HttpRequest, match: Match<Endpoint> | undefined, connection: Connection) {
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow: allowed(match) } });
  const endpoint = match?.byMethod.get(methodOf(request));
  try {
    refuseLargeBody(request, endpoint?.route);
    if (!match) throw new AppError('not_found', 'Not Found');
    if (!endpoint)
      throw new AppError('method_not_allowed', 'Method Not Allowed', { headers: { allow: allowed(match) } });
    return await endpoint.call(request, match.params, connection);
  } catch (error) {
    return failureResponse(error, connection.requestId, endpoint?.route.errorStyle);
  }
}

/** HEAD is answered by the GET route; the host drops the body. */
const methodOf = (request: HttpRequest) => (request.method === 'HEAD' ? 'GET' : request.method) as Method;

const routePath = (match: Match<Endpoint>) => match.byMethod.values().next().value?.route.path ?? '';

function allowed(match: Match<Endpoint> | undefined) {
  const methods = [...(match?.byMethod.keys() ?? [])];
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}

/** Before anything else: a body this host could not even carry is refused whatever it was sent to. */
function refuseLargeBody(request: HttpRequest, route: Route | undefined) {
  const isText = /json|text|form-urlencoded/.test(request.headers.get('content-type') ?? 'text');
  const limit = Math.min(route?.maxBody ?? MAX_TEXT_BODY, isText ? MAX_TEXT_BODY : MAX_BINARY_BODY);
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > limit) throw tooLarge(limit);
}

export const tooLarge = (limit: number) =>
  new AppError('payload_too_large', `The body is larger than ${Math.floor(limit / 1024)} KB`, {
    facts: { limit_bytes: limit },
  });

const corsHeaders = (origins: readonly string[]) => {
  const isAny = origins.includes('*');
  return (request: HttpRequest): Record<string, string> => {
    const origin = request.headers.get('origin');
    if (!origin || !(isAny || origins.includes(origin))) return {};
    const preflight = request.method === 'OPTIONS' ? preflightHeaders(request) : {};
    const who: Record<string, string> = isAny ? ANY_ORIGIN : { ...ANY_ORIGIN, ...oneOrigin(origin) };
    return { ...who, 'access-control-expose-headers': 'x-request-id, retry-after, etag', ...preflight };
  };
};

const ANY_ORIGIN = { 'access-control-allow-origin': '*' };

/** A named origin may send cookies; caches must then keep answers for different origins apart. */
const oneOrigin = (origin: string) => ({
  'access-control-allow-origin': origin,
  'access-control-allow-credentials': 'true',
  vary: 'origin',
});

const preflightHeaders = (request: HttpRequest) => ({
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? '*',
  'access-control-max-age': '600',
});

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'strict-transport-security': 'max-age=31536000',
};

/** Answers carry private data unless a route says otherwise, so nothing between us and the client may keep them. */
function decorate(headers: Answered['headers'], cors: Record<string, string>, requestId: string) {
  headers.set('x-request-id', requestId);
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) if (!headers.has(name)) headers.set(name, value);
  for (const [name, value] of Object.entries(cors)) headers.set(name, value);
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
}
