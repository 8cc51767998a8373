import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CountingProxy {
  readonly url: string;
  /** Calls since the last time this was asked. */
  take(): number;
  stop(): void;
}

/** Stands before the table engine and counts the round trips of whoever is pointed at it. */
export async function startCountingProxy(engine: string): Promise<CountingProxy> {
  const agent = new http.Agent({ keepAlive: true });
  let calls = 0;
  const server = http.createServer((request, response) => {
    calls += 1;
    const { method, headers, url } = request;
    const onward = http.request(new URL(url ?? '/', engine), { method, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = calls;
      calls = 0;
      return taken;
    },
    stop() {
      agent.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}
