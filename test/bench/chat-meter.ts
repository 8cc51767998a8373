import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Meter {
  readonly url: string;
  /** Write units since the last reset. */
  units(): number;
  reset(): void;
  stop(): Promise<void>;
}

/** Stands before the table engine, asks for the consumed capacity and adds up that of writes to chats. */
export async function startMeter(engine: string): Promise<Meter> {
  const agent = new http.Agent({ keepAlive: true });
  let units = 0;
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
      const isWrite = /^(Put|Update|Delete|BatchWrite|TransactWrite)/.test(operation);
      const sent = Buffer.concat(chunks);
      const body = isWrite
        ? Buffer.from(JSON.stringify({ ...(JSON.parse(sent.toString()) as object), ReturnConsumedCapacity: 'TOTAL' }))
        : sent;
      const headers = { ...request.headers, 'content-length': String(body.length) };
      const onward = http.request(engine, { method: 'POST', path: request.url, headers, agent }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => parts.push(chunk));
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString();
          if (isWrite && answer.statusCode === 200) units += unitsIn(JSON.parse(text));
          response.writeHead(answer.statusCode ?? 502, answer.headers).end(text);
        });
      });
      onward.on('error', () => response.destroy());
      onward.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    units: () => units,
    reset: () => void (units = 0),
    async stop() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Capacity {
  readonly CapacityUnits?: number;
}

function unitsIn({
  ConsumedCapacity: used = [],
}: {
  readonly ConsumedCapacity?: Capacity | readonly Capacity[];
}): number {
  return [used].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}
