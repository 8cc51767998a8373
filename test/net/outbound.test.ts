import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGuard } from '../../shared/net/guard.ts';
import { createOutbound } from '../../shared/net/outbound.ts';

type Listener = http.RequestListener;

/** Two real servers: redirects can then lead to another origin. */
const routes: Record<string, Listener> = {
  '/json': (_, response) => void response.end('{"a":1}'),
  '/text': (_, response) => void response.end('not json'),
  '/echo': (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () =>
      response.end(
        JSON.stringify({ method: request.method, headers: request.headers, body: Buffer.concat(chunks).toString() }),
      ),
    );
  },
  '/never': () => {},
  '/half': (_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half');
    setTimeout(() => response.destroy(), 20);
  },
  '/stall': (_, response) => void response.write('a'),
  '/big': (_, response) => void response.end(Buffer.alloc(300_000, 'x')),
  '/chunks': (_, response) => {
    const parts = ['ä'.slice(0, 1), 'b', 'c'];
    const next = () => {
      const part = parts.shift();
      if (part === undefined) return void response.end();
      response.write(part);
      setTimeout(next, 10);
    };
    next();
  },
  '/to-json': (_, response) => void response.writeHead(302, { location: '/json' }).end(),
  '/post-away': (_, response) => void response.writeHead(303, { location: '/echo' }).end(),
  '/keep-post': (_, response) => void response.writeHead(307, { location: '/echo' }).end(),
  '/loop': (_, response) => void response.writeHead(302, { location: '/loop' }).end(),
  '/to-other': (_, response) => void response.writeHead(307, { location: `${other()}/echo` }).end(),
  '/to-metadata': (_, response) =>
    void response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  '/to-file': (_, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
};

const servers = [0, 1].map(() =>
  http.createServer((request, response) => (routes[request.url ?? '']?.(request, response), undefined)),
);
const portOf = (server: net.Server | undefined) => (server!.address() as AddressInfo).port;
const base = () => `http://127.0.0.1:${portOf(servers[0])}`;
const other = () => `http://127.0.0.1:${portOf(servers[1])}`;

beforeAll(async () => {
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

const open = createOutbound({ allowedHosts: ['127.0.0.1'] });
const MB = 1024 * 1024;

describe('where requests may go', () => {
  test('a private address is refused before a connection is made', async () => {
    const before = await connectionsOf(servers[0]);
    const refused = createOutbound().request(`${base()}/json`);
    await expect(refused).rejects.toMatchObject({ code: 'address_refused', status: 400 });
    expect(await connectionsOf(servers[0])).toBe(before);
  });

  test('a name is judged by what it resolves to, and only judged addresses are connected to', async () => {
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const url = `http://innocent.example:${portOf(servers[0])}/json`;
    await expect(createOutbound({ resolve }).request(url)).rejects.toMatchObject({ code: 'address_refused' });
    const allowed = await createOutbound({ resolve, allowedHosts: ['innocent.example'] }).request(url);
    expect(await allowed.json(MB)).toEqual({ a: 1 });
    expect(asked).toEqual(['innocent.example', 'innocent.example']);
  });

  test('of several addresses only the public ones are tried', async () => {
    const resolve = async () => [
      { address: '10.0.0.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const outbound = createOutbound({ resolve, allowedHosts: ['127.0.0.0/8'] });
    const answer = await outbound.request(`http://two.example:${portOf(servers[0])}/json`);
    expect(answer.status).toBe(200);
  });

  test('a name that answers differently the second time is judged a second time', async () => {
    const answers = ['93.184.216.34', '127.0.0.1'];
    const { lookup } = createGuard([], async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }]);
    const look = () =>
      new Promise((resolve, reject) =>
        lookup('rebind.example', { all: true }, (error, found) => (error ? reject(error) : resolve(found))),
      );
    expect(await look()).toEqual([{ address: '93.184.216.34', family: 4 }]);
    await expect(look()).rejects.toMatchObject({ code: 'address_refused' });
  });

  test('an operator’s word skips the guard, but its connections are never lent to guarded requests', async () => {
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const outbound = createOutbound({ resolve });
    const trusted = await outbound.request(`${base()}/json`, { trusted: true });
    await trusted.json(MB);
    await expect(outbound.request(`${base()}/json`)).rejects.toMatchObject({ code: 'address_refused' });
  });

  test.each(['file:///etc/passwd', 'ftp://example.com/', 'gopher://x/', 'nonsense', ''])(
    '%s is refused',
    async (address) => {
      await expect(open.request(address)).rejects.toMatchObject({ code: 'address_refused' });
    },
  );
});

describe('redirects', () => {
  test('are plain answers unless asked for', async () => {
    expect((await open.request(`${base()}/to-json`)).status).toBe(302);
  });

  test('are followed when asked, and the answer says where it came from', async () => {
    const answer = await open.request(`${base()}/to-json`, { redirects: 3 });
    expect(answer.url).toBe(`${base()}/json`);
    expect(await answer.json(MB)).toEqual({ a: 1 });
  });

  test('every hop is judged anew', async () => {
    const hop = open.request(`${base()}/to-metadata`, { redirects: 3 });
    await expect(hop).rejects.toMatchObject({ code: 'address_refused' });
    const trusted = createOutbound().request(`${base()}/to-metadata`, { redirects: 3, trusted: true });
    await expect(trusted).rejects.toMatchObject({ code: 'address_refused' });
    await expect(open.request(`${base()}/to-file`, { redirects: 3 })).rejects.toMatchObject({
      code: 'address_refused',
    });
  });

  test('an operator’s trust ends at the origin they named', async () => {
    const away = createOutbound().request(`${base()}/to-other`, {
      redirects: 1,
      trusted: true,
      method: 'POST',
      body: 'x',
    });
    await expect(away).rejects.toMatchObject({ code: 'address_refused' });
  });

  test('credentials do not follow to another origin', async () => {
    const headers = { authorization: 'Bearer secret', cookie: 'a=b', 'x-api-key': 'k', accept: 'text/plain' };
    const answer = await open.request(`${base()}/to-other`, { redirects: 1, headers, method: 'POST', body: 'hello' });
    const echoed = (await answer.json(MB)) as { headers: Record<string, string>; body: string };
    expect(echoed.body).toBe('hello');
    expect(echoed.headers).toMatchObject({ accept: 'text/plain' });
    for (const name of ['authorization', 'cookie', 'x-api-key']) expect(echoed.headers).not.toHaveProperty(name);
  });

  test('a 303 becomes a GET without a body, a 307 keeps both', async () => {
    const post = { redirects: 1, method: 'POST', body: 'hello' };
    const changed = await (await open.request(`${base()}/post-away`, post)).json(MB);
    expect(changed).toMatchObject({ method: 'GET', body: '' });
    const kept = await (await open.request(`${base()}/keep-post`, post)).json(MB);
    expect(kept).toMatchObject({ method: 'POST', body: 'hello' });
  });

  test('an endless chain ends', async () => {
    await expect(open.request(`${base()}/loop`, { redirects: 4 })).rejects.toMatchObject({ code: 'upstream_failed' });
  });
});

describe('failures', () => {
  test('a server that does not answer in time is a time-out', async () => {
    await expect(open.request(`${base()}/never`, { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'upstream_timeout',
      status: 504,
    });
  });

  test('the time-out covers the body too', async () => {
    const answer = await open.request(`${base()}/stall`, { timeoutMs: 80 });
    await expect(answer.bytes(MB)).rejects.toMatchObject({ code: 'upstream_timeout' });
  });

  test('a body that breaks before anyone reads it still fails the reader', async () => {
    const answer = await open.request(`${base()}/half`);
    await new Promise((resolve) => setTimeout(resolve, 60));
    await expect(answer.text(MB)).rejects.toMatchObject({ code: 'upstream_failed', cause: expect.any(Error) });
  });

  test('a cut connection keeps what arrived and then fails', async () => {
    const answer = await open.request(`${base()}/half`);
    const seen: string[] = [];
    await expect(answer.pump((chunk) => void seen.push(chunk.toString()))).rejects.toMatchObject({
      code: 'upstream_failed',
    });
    expect(seen.join('')).toBe('half');
  });

  test('nobody listening is told apart from a missing name', async () => {
    const closed = net.createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const port = portOf(closed);
    await new Promise((resolve) => closed.close(resolve));
    await expect(open.request(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: 'upstream_failed',
      message: 'The upstream refused the connection',
    });
    const nowhere = createOutbound({ resolve: async () => [] }).request('http://nowhere.example/');
    await expect(nowhere).rejects.toMatchObject({ message: 'The upstream has no address' });
  });

  test('the caller can give up, before and during the answer', async () => {
    const early = AbortSignal.abort(new Error('changed my mind'));
    await expect(open.request(`${base()}/json`, { signal: early })).rejects.toThrow('changed my mind');
    const late = new AbortController();
    const answer = await open.request(`${base()}/stall`, { signal: late.signal });
    const reading = answer.bytes(MB);
    late.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
  });

  test('an answer past the limit, or one that is not JSON, is the upstream’s failure', async () => {
    await expect((await open.request(`${base()}/big`)).bytes(1000)).rejects.toMatchObject({ code: 'upstream_failed' });
    await expect((await open.request(`${base()}/text`)).json(1000)).rejects.toMatchObject({ code: 'upstream_failed' });
  });
});

describe('bodies', () => {
  test('chunks arrive one by one, and a slow reader holds the sender back', async () => {
    const answer = await open.request(`${base()}/chunks`);
    const seen: string[] = [];
    let isBusy = false;
    await answer.pump(async (chunk) => {
      expect(isBusy).toBe(false);
      isBusy = true;
      await new Promise((resolve) => setTimeout(resolve, 15));
      isBusy = false;
      seen.push(chunk.toString());
    });
    expect(seen.join('')).toBe('äbc');
  });

  test('a consumer that throws ends the exchange with its own error', async () => {
    const answer = await open.request(`${base()}/chunks`);
    await expect(
      answer.pump(() => {
        throw new Error('no more');
      }),
    ).rejects.toThrow('no more');
  });

  test('a request with a body says how long it is', async () => {
    const answer = await open.request(`${base()}/echo`, { method: 'POST', body: 'grüße' });
    expect(await answer.json(MB)).toMatchObject({ body: 'grüße', headers: { 'content-length': '7' } });
  });
});

describe('kept-alive connections', () => {
  test('a request on a connection that was closed meanwhile is sent again when that is harmless', async () => {
    let connections = 0;
    const server = net.createServer((socket) => {
      connections += 1;
      const isFirst = connections === 1;
      let requests = 0;
      socket.on('error', () => {});
      socket.on('data', () => {
        requests += 1;
        if (isFirst && requests === 2) return void socket.resetAndDestroy();
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${portOf(server)}/`;
    const outbound = createOutbound({ allowedHosts: ['127.0.0.1'] });
    expect(await (await outbound.request(url)).text(10)).toBe('ok');
    expect(await (await outbound.request(url)).text(10)).toBe('ok');
    expect(connections).toBe(2);
    server.close();
  });

  test('a POST is not sent twice unless the caller says it may be', async () => {
    let received = 0;
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => {
        received += 1;
        if (received === 2) return void socket.resetAndDestroy();
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${portOf(server)}/`;
    const post = { method: 'POST', body: 'x' };
    expect(await (await open.request(url, post)).text(10)).toBe('ok');
    await expect(open.request(url, post)).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(received).toBe(2);
    received = 0;
    const replayable = { ...post, replayable: true };
    expect(await (await open.request(url, replayable)).text(10)).toBe('ok');
    expect(await (await open.request(url, replayable)).text(10)).toBe('ok');
    server.close();
  });
});

const connectionsOf = (server: http.Server | undefined) =>
  new Promise<number>((resolve) => server?.getConnections((_, count) => resolve(count)));
