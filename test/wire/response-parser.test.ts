import fc from 'fast-check';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPool, type Pool } from '../../shared/wire/pool.ts';
import { createResponseParser } from '../../shared/wire/response-parser.ts';
import { openerFor } from '../../shared/wire/sockets.ts';

interface Read {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  readonly hasEnded: boolean;
}

function read(bytes: Buffer, cuts: readonly number[], method = 'GET'): Read {
  const body: Buffer[] = [];
  let head: Pick<Read, 'status' | 'headers'> = { status: 0, headers: {} };
  const parser = createResponseParser(method, {
    head: (given) => (head = given),
    body: (chunk) => body.push(Buffer.from(chunk)),
  });
  const edges = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  [...edges, bytes.length].reduce((from, to) => (parser.push(bytes.subarray(from, to)), to), 0);
  parser.close();
  const { status, headers } = head;
  return {
    status,
    headers: { ...headers },
    body: Buffer.concat(body).toString('latin1'),
    hasEnded: parser.hasEnded(),
  };
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const chunkOf = (text: string, extension = '') => `${text.length.toString(16)}${extension}\r\n${text}\r\n`;

const value = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/);
const name = fc.stringMatching(/^x-[a-z]{1,8}$/);
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array).toString('latin1'));
const cuts = fc.array(fc.nat(), { maxLength: 12 });

describe('an answer in pieces', () => {
  test('is read the same wherever it was cut', () => {
    const headers = fc.dictionary(name, value, { maxKeys: 4 });
    const framing = fc.constantFrom('length', 'chunked', 'close');
    fc.assert(
      fc.property(headers, framing, fc.array(bytes, { maxLength: 5 }), cuts, (given, kind, parts, at) => {
        const filled = parts.filter((part) => part !== '');
        const lines = Object.entries(given).map(([key, text]) => `${key}: ${text}\r\n`);
        const length = `content-length: ${filled.join('').length}\r\n`;
        const frames = { length, chunked: 'transfer-encoding: chunked\r\n', close: '' };
        const chunked = `${filled.map((part) => chunkOf(part)).join('')}0\r\n\r\n`;
        const body = kind === 'chunked' ? chunked : filled.join('');
        const answer = read(latin1(`HTTP/1.1 200 OK\r\n${lines.join('')}${frames[kind]}\r\n${body}`), at);
        expect(answer).toMatchObject({ status: 200, headers: given, body: filled.join(''), hasEnded: true });
      }),
    );
  });

  test.each([
    [
      'interim answers are passed over',
      'HTTP/1.1 103 Early\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi',
      'hi',
    ],
    ['lines without a carriage return', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nhi', 'hi'],
    [
      'chunk extensions and trailers',
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunkOf('hi', ';a=b')}0\r\nx-sum: 1\r\n\r\n`,
      'hi',
    ],
    ['no reason phrase', 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nhi', 'hi'],
    ['the same length twice', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nhi', 'hi'],
    ['an old server that closes', 'HTTP/1.0 200 OK\r\n\r\nhi', 'hi'],
    ['nothing at all', 'HTTP/1.1 204 No Content\r\n\r\n', ''],
  ])('%s', (_, text, body) => {
    for (let cut = 0; cut < text.length; cut += 1)
      expect(read(latin1(text), [cut])).toMatchObject({ body, hasEnded: true });
  });

  test('the answer to HEAD has a length and no body', () => {
    const answer = read(latin1('HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n'), [], 'HEAD');
    expect(answer).toMatchObject({ headers: { 'content-length': '20' }, body: '', hasEnded: true });
  });

  test.each([
    ['a status line of another protocol', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['HTTP/2 on a connection for HTTP/1.1', 'HTTP/2 200 OK\r\n\r\n'],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: x\r\n\r\n'],
    ['a space before the colon', 'HTTP/1.1 200 OK\r\nx-a : x\r\n\r\n'],
    ['two different lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nhi'],
    ['a length that is not a number', 'HTTP/1.1 200 OK\r\ncontent-length: -2\r\n\r\nhi'],
    ['a chunk without a size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nhello\r\n'],
    ['a chunk that is longer than it said', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhello\r\n'],
    ['bytes after the end', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi there'],
    ['a switch of protocols', 'HTTP/1.1 101 Switching\r\n\r\n'],
    ['a head without end', `HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(70_000)}`],
  ])('%s is refused', (_, text) => {
    expect(() => read(latin1(text), [])).toThrow('cannot be read');
  });

  test('an answer that breaks off has not ended', () => {
    expect(read(latin1('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhi'), []).hasEnded).toBe(false);
    expect(read(latin1(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunkOf('hi')}`), []).hasEnded).toBe(
      false,
    );
  });
});

describe("beside Node's own client", () => {
  let served = Buffer.alloc(0);
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(served));
  });
  let url = new URL('http://127.0.0.1');
  let pool: Pool;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    pool = createPool({ open: openerFor(url) });
  });
  afterAll(() => server.close());

  const byNode = () =>
    new Promise<string>((resolve) => {
      const request = http.get(url, { agent: false }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => parts.push(chunk));
        answer.on('error', () => resolve('failed'));
        answer.on('end', () => resolve(`${answer.statusCode} ${Buffer.concat(parts).toString('latin1')}`));
      });
      request.on('error', () => resolve('failed'));
    });
  const byUs = () =>
    new Promise<string>((resolve) => {
      const parts: Buffer[] = [];
      let status = 0;
      pool.send(
        { method: 'GET', path: '/', headers: { host: url.host } },
        {
          head: (head) => (status = head.status),
          body: (chunk) => parts.push(Buffer.from(chunk)),
          end: () => resolve(`${status} ${Buffer.concat(parts).toString('latin1')}`),
          error: () => resolve('failed'),
        },
      );
    });

  test('both understand the same answers and refuse the same ones', async () => {
    const status = fc.constantFrom('200 OK', '404 Not Found', '204 No Content', '304 Not Modified', '500');
    const framing = fc.constantFrom('length', 'short', 'chunked', 'cut', 'close', 'garbled');
    const body = fc.stringMatching(/^[a-z\n ]{0,200}$/);
    await fc.assert(
      fc.asyncProperty(status, framing, body, async (line, kind, text) => {
        const frames = {
          length: `content-length: ${text.length}\r\n\r\n${text}`,
          short: `content-length: ${text.length + 5}\r\n\r\n${text}`,
          chunked: `transfer-encoding: chunked\r\n\r\n${text ? chunkOf(text) : ''}0\r\n\r\n`,
          cut: `transfer-encoding: chunked\r\n\r\n${text ? chunkOf(text) : ''}`,
          close: `connection: close\r\n\r\n${text}`,
          garbled: `transfer-encoding: chunked\r\n\r\nzz\r\n${text}`,
        };
        // Both must be right about statuses without a body, which a server then must not send.
        const isBare = line.startsWith('204') || line.startsWith('304');
        served = latin1(`HTTP/1.1 ${line}\r\n${isBare ? '\r\n' : frames[kind]}`);
        expect(await byUs()).toBe(await byNode());
      }),
      { numRuns: 150 },
    );
  });
});
