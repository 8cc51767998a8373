import type { Head, Headers } from '../wire/head.ts';
import { createPool, type Pool } from '../wire/pool.ts';
import type { WireRequest } from '../wire/request-head.ts';
import { openerFor } from '../wire/sockets.ts';
import { credentials, endpointOf, region } from './endpoint.ts';
import { sign, type Scope } from './sign.ts';

/**
 * AWS calls: a signature and a keep-alive socket. The full SDK costs a third of a megabyte and 70 ms of
 * start per function; the services we use all speak JSON over signed HTTP (S3 plain bytes), so this is enough.
 */
export interface AwsRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

export interface AwsResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

export type Send = (request: AwsRequest) => Promise<AwsResponse>;

export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly code: string;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, response: { status: number; details: Record<string, unknown> }) {
    super(message);
    this.code = code;
    this.status = response.status;
    this.details = response.details;
  }
}

export interface ServiceOptions {
  /** Name in the credential scope; usually the service's own. */
  readonly signingName?: string;
  /** Host prefix when it differs from the service name (`email`, `events`). */
  readonly host?: string;
  readonly endpoint?: URL;
}

interface Destination {
  readonly endpoint: URL;
  readonly scope: Scope;
  readonly pool: Pool;
}

/** Services at the same address share connections. */
const pools = new Map<string, Pool>();

function poolFor(endpoint: URL): Pool {
  const known = pools.get(endpoint.origin);
  if (known) return known;
  const pool = createPool({ open: openerFor(endpoint) });
  pools.set(endpoint.origin, pool);
  return pool;
}

/** A signed sender for one service. The endpoint is read at the first call, not at import. */
export function createSend(service: string, options: ServiceOptions = {}): Send {
  let destination: Destination | undefined;
  return (request) => {
    const to = (destination ??= destinationOf(service, options));
    return withRetry(() => sendOnce(request, to));
  };
}

function destinationOf(service: string, options: ServiceOptions): Destination {
  const endpoint = options.endpoint ?? endpointOf(service, options.host);
  const scope = { service: options.signingName ?? service, region: region() };
  return { endpoint, scope, pool: poolFor(endpoint) };
}

function sendOnce(request: AwsRequest, { endpoint, scope, pool }: Destination) {
  const { method, query, body } = request;
  const path = `${endpoint.pathname.replace(/\/$/, '')}${request.path}`;
  const unsigned = { method, path, query, body, headers: { host: endpoint.host, ...request.headers } };
  const headers = sign(unsigned, scope, { credentials: credentials(), now: Date.now() });
  const search = query && new URLSearchParams(query).toString().replaceAll('+', '%20');
  return exchange(pool, { method, path: search ? `${path}?${search}` : path, headers, body });
}

const TIMEOUT_MS = 20_000;

const exchange = (pool: Pool, request: WireRequest) =>
  new Promise<AwsResponse>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let head: Pick<Head, 'status' | 'headers'> = { status: 0, headers: {} };
    let isLate = false;
    const sent = pool.send(request, {
      head: (received) => (head = received),
      body: (chunk) => chunks.push(chunk),
      end() {
        clearTimeout(timer);
        const [first = NOTHING] = chunks;
        const body = chunks.length < 2 ? first : Buffer.concat(chunks);
        resolve({ status: head.status, headers: head.headers, body });
      },
      error(error) {
        clearTimeout(timer);
        reject(isLate ? new Error('The AWS endpoint did not answer in 20 seconds') : error);
      },
    });
    const timer = setTimeout(() => {
      isLate = true;
      sent.destroy();
    }, TIMEOUT_MS);
  });

const NOTHING = Buffer.alloc(0);

const MAX_ATTEMPTS = 4;

/** Throttling, 5xx and broken sockets are tried again with jitter; every write we send is conditional or idempotent. */
async function withRetry(send: () => Promise<AwsResponse>): Promise<AwsResponse> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await send().catch((error: unknown) => asError(error));
    const isFinal = attempt === MAX_ATTEMPTS || !isRetryable(outcome);
    if (isFinal && outcome instanceof Error) throw outcome;
    if (isFinal) return outcome as AwsResponse;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 50 * 2 ** attempt));
  }
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error('AWS call failed', { cause: error }));

const THROTTLED =
  /ThrottlingException|ProvisionedThroughputExceeded|RequestLimitExceeded|TransactionInProgress|TransactionConflict|SlowDown/;

const isRetryable = (outcome: AwsResponse | Error) =>
  outcome instanceof Error
    ? true
    : outcome.status >= 500 ||
      outcome.status === 429 ||
      (outcome.status === 400 && THROTTLED.test(outcome.body.toString('latin1', 0, 300)));
