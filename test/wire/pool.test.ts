import net, { type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Exchange } from '../../shared/wire/connection.ts';
import { createPool, type Pool, type PoolOptions } from '../../shared/wire/pool.ts';
import { openerFor } from '../../shared/wire/sockets.ts';
import type { WireRequest } from '../../shared/wire/request-head.ts';

const opened: (() => void)[] = [];
afterEach(() => opened.splice(0).forEach((close) => close()));

/** Answers what `answer` says; counts the connections and the requests on them. */
async function start(answer: (socket: Socket, text: string) => void) {
  const seen = { connections: 0, texts: [] as string[] };
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    seen.connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      seen.texts.push(bytes.toString('latin1'));
      answer(socket, bytes.toString('latin1'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });
  return { seen, sockets, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) };
}

const poolTo = (url: URL, options: Partial<PoolOptions> = {}) => createPool({ open: openerFor(url), ...options });

function ask(pool: Pool, more: Partial<WireRequest> = {}) {
  let sent: Exchange | undefined;
  const answer = new Promise<string>((resolve, reject) => {
    const parts: Buffer[] = [];
    sent = pool.send(
      { method: 'GET', path: '/', headers: { host: 'x' }, ...more },
      { head: () => {}, body: (chunk) => parts.push(chunk), end: () => resolve(parts.join('')), error: reject },
    );
  });
  return { answer, sent };
}

const HI = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi';

describe('connections', () => {
  test('are used again, one exchange at a time', async () => {
    const { url, seen } = await start((socket) => socket.write(HI));
    const pool = poolTo(url);
    expect(await ask(pool).answer).toBe('hi');
    expect(await ask(pool).answer).toBe('hi');
    expect(seen.connections).toBe(1);
    await Promise.all([ask(pool).answer, ask(pool).answer]);
    expect(seen.connections).toBe(2);
  });

  test.each([
    ['says close', 'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nhi'],
    ['gives them up at once', 'HTTP/1.1 200 OK\r\nkeep-alive: timeout=1\r\ncontent-length: 2\r\n\r\nhi'],
    ['speaks HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nhi'],
  ])('are not used again when the server %s', async (_, text) => {
    const { url, seen } = await start((socket) => socket.write(text));
    const pool = poolTo(url);
    await ask(pool).answer;
    await ask(pool).answer;
    expect(seen.connections).toBe(2);
  });

  test('that waited too long are not used again', async () => {
    const { url, seen } = await start((socket) => socket.write(HI));
    const pool = poolTo(url, { idleMs: 20 });
    await ask(pool).answer;
    await expect.poll(() => pool.isEmpty()).toBe(true);
    await ask(pool).answer;
    expect(seen.connections).toBe(2);
  });

  test('that say something nobody asked for are given up', async () => {
    const { url, sockets, seen } = await start((socket) => socket.write(HI));
    const pool = poolTo(url);
    await ask(pool).answer;
    for (const socket of sockets) socket.write(HI);
    await expect.poll(() => pool.isEmpty()).toBe(true);
    await ask(pool).answer;
    expect(seen.connections).toBe(2);
  });
});

describe('an exchange', () => {
  test('whose connection breaks fails, and says that the connection was an old one', async () => {
    let answers = 0;
    const { url } = await start((socket) => (answers++ === 0 ? socket.write(HI) : socket.destroy()));
    const pool = poolTo(url);
    await ask(pool).answer;
    const second = ask(pool);
    expect(second.sent?.isReused).toBe(true);
    await expect(second.answer).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('that is over cannot disturb the next one on its connection', async () => {
    const waiting: Socket[] = [];
    const { url } = await start((socket, text) =>
      text.startsWith('GET /slow') ? waiting.push(socket) : socket.write(HI),
    );
    const pool = poolTo(url);
    const first = ask(pool);
    await first.answer;
    const second = ask(pool, { path: '/slow' });
    await expect.poll(() => waiting.length).toBe(1);
    first.sent?.pause();
    first.sent?.destroy();
    waiting[0]?.write(HI);
    expect(await second.answer).toBe('hi');
  });

  test('can be given up', async () => {
    const { url } = await start(() => {});
    const { answer, sent } = ask(poolTo(url));
    sent?.destroy();
    await expect(answer).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('a request', () => {
  test('goes out as one piece, its length in bytes', async () => {
    const { url, seen } = await start((socket) => socket.write(HI));
    await ask(poolTo(url), { method: 'POST', body: 'grüße' }).answer;
    expect(seen.texts).toHaveLength(1);
    expect(seen.texts[0]).toContain('content-length: 7\r\n');
    expect(Buffer.from(seen.texts[0] ?? '', 'latin1').toString('utf8')).toContain('\r\n\r\ngrüße');
  });

  test('keeps header bytes beyond ASCII as they are', async () => {
    const { url, seen } = await start((socket) => socket.write(HI));
    await ask(poolTo(url), { method: 'POST', headers: { host: 'x', 'x-name': 'Jürgen' }, body: 'ü' }).answer;
    expect(seen.texts.join('')).toContain('x-name: Jürgen\r\n');
  });

  test.each([
    [{ headers: { host: 'x', 'x-a': 'b\r\nx-c: d' } }],
    [{ headers: { host: 'x', 'x a': 'b' } }],
    [{ path: '/a b' }],
    [{ path: '/a\r\nx-c: d' }],
    [{ method: 'GET / HTTP/1.1\r\n' }],
  ])('cannot be split by what is put into it: %j', async (more) => {
    const { url, seen } = await start((socket) => socket.write(HI));
    const pool = poolTo(url);
    expect(() =>
      pool.send({ method: 'GET', path: '/', headers: {}, ...more } as WireRequest, {
        head() {},
        body() {},
        end() {},
        error() {},
      }),
    ).toThrow();
    expect(await ask(pool).answer).toBe('hi');
    expect(seen.texts).toHaveLength(1);
  });
});
