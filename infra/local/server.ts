import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Endpoint } from '../../shared/http/api.ts';
import { toNodeListener } from '../../shared/http/node.ts';
import { createServe } from '../../shared/http/serve.ts';
import type { Settings } from '../../shared/settings/variables.ts';
import { MAX_ANSWER_BYTES, withGatewayLimits } from './limits.ts';
import { StartError } from './options.ts';

export interface LocalServer {
  stop(): Promise<void>;
}

export interface Front {
  readonly endpoints: readonly Endpoint[];
  readonly settings: Settings;
  /** Something was probably written; whoever follows a table may look now. */
  readonly onChange: () => void;
}

/** One port for everything: the same endpoints as in the cloud behind a plain HTTP server. */
export function startServer(server: http.Server, { endpoints, settings, onChange }: Front): LocalServer {
  const background = new Set<Promise<unknown>>();
  const limited = endpoints.map(withGatewayLimits).map(telling(onChange));
  const serve = createServe(limited, { corsOrigins: settings.CORS_ALLOW_ORIGIN });
  server.off('request', answerStarting);
  server.on(
    'request',
    toNodeListener({ serve, background, maxAnswer: MAX_ANSWER_BYTES, trustedHops: settings.TRUSTED_PROXY_HOPS }),
  );
  return {
    async stop() {
      server.close();
      server.closeIdleConnections();
      await Promise.race([Promise.allSettled(background), wait(10_000)]);
      server.closeAllConnections();
    },
  };
}

/** Streaming families write to no table that anybody follows; looking after each of their answers would cost more than them. */
const telling =
  (onChange: () => void) =>
  (endpoint: Endpoint): Endpoint =>
    endpoint.route.method === 'GET' || endpoint.route.transport === 'stream'
      ? endpoint
      : { ...endpoint, call: (...call) => endpoint.call(...call).finally(onChange) };

export const portOf = (server: http.Server) => (server.address() as AddressInfo).port;

/** Takes the port before anything slow starts, so a taken one is reported at once. */
export async function listen(port: number): Promise<http.Server> {
  const server = http.createServer({ keepAliveTimeout: 65_000, noDelay: true });
  server.on('request', answerStarting);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, port)));
    server.listen(port, resolve);
  });
  return server;
}

function answerStarting(_request: http.IncomingMessage, response: http.ServerResponse) {
  const message = 'Startup not complete';
  const error = { code: 'dependency_unavailable', message, request_id: '' };
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1', connection: 'close' });
  response.end(JSON.stringify({ detail: message, error }));
}

function explain(error: NodeJS.ErrnoException, port: number) {
  if (error.code === 'EADDRINUSE') return new StartError(`Port ${port} is taken; choose another with --port.`);
  if (error.code === 'EACCES')
    return new StartError(`Port ${port} may not be used by this account; choose one above 1023 with --port.`);
  return error;
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref());
