import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** The least that any proxy in Node costs: a request in, the same request out, and the answer piped back. */
const upstream = new URL(process.argv[2] ?? '');
const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 256 });
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host']);
const passable = (headers: http.IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));

const server = http.createServer({ noDelay: true, keepAliveTimeout: 60_000 }, (request, response) => {
  const { method, url = '/', headers } = request;
  const onward = http.request(new URL(url, upstream), { method, headers: passable(headers), agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, passable(answer.headers));
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
