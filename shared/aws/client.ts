import http from 'node:http';
import https from 'node:https';
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
  readonly headers: http.IncomingHttpHeaders;
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

const agents = {
  http: new http.Agent({ keepAlive: true, timeout: 20_000 }),
  https: new https.Agent({ keepAlive: true, timeout: 20_000 }),
};

interface Destination {
  readonly endpoint: URL;
  readonly scope: Scope;
}

/** A signed sender for one service. The endpoint is read at the first call, not at import. */
export function createSend(service: string, options: ServiceOptions = {}): Send {
  let destination: Destination | undefined;
  return (request) => {
    destination ??= {
      endpoint: options.endpoint ?? endpointOf(service, options.host),
      scope: { service: options.signingName ?? service, region: region() },
    };
    const to = destination;
    return withRetry(() => sendOnce(request, to));
  };
}

function sendOnce(request: AwsRequest, { endpoint, scope }: Destination) {
  const { method, query, body } = request;
  const path = `${endpoint.pathname.replace(/\/$/, '')}${request.path}`;
  const unsigned = { method, path, query, body, headers: { host: endpoint.host, ...request.headers } };
  const headers = sign(unsigned, scope, { credentials: credentials(), now: Date.now() });
  const search = query && new URLSearchParams(query).toString().replaceAll('+', '%20');
  return exchange(endpoint, { method, path: search ? `${path}?${search}` : path, headers, body });
}

interface Wire {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: Uint8Array | string;
}

const exchange = (endpoint: URL, { body, ...options }: Wire) =>
  new Promise<AwsResponse>((resolve, reject) => {
    const secure = endpoint.protocol === 'https:';
    const request = (secure ? https : http).request(
      {
        ...options,
        host: endpoint.hostname,
        port: endpoint.port,
        agent: secure ? agents.https : agents.http,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        );
        response.on('error', reject);
      },
    );
    request.on('timeout', () => request.destroy(new Error('The AWS endpoint did not answer in 20 seconds')));
    request.on('error', reject);
    request.end(body);
  });

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
