import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { spawnHost } from '../support/spawn-host.ts';
import { compare } from './load.ts';
import { round, table, type Section } from './report.ts';

const BARE = `require('node:http').createServer((q, s) => { s.writeHead(200, { 'content-type': 'application/json' }); s.end('{"status":true}'); })
  .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;

/** What the kernel costs: routing, schemas, headers, request ids, and one real table read per health check. */
export const kernel: Section = {
  name: 'kernel',
  title: 'Kernel cost: /health and /api/version against a bare node:http server',
  async run() {
    const bare = spawn(process.execPath, ['-e', BARE], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [port] = (await once(bare.stdout, 'data')) as [Buffer];
    const host = await spawnHost();
    const targets = [
      { name: 'bare node:http', url: `http://127.0.0.1:${port.toString().trim()}/` },
      { name: 'GET /api/version (no table read)', url: `${host.url}/api/version` },
      { name: 'GET /health (one table read)', url: `${host.url}/health` },
    ];
    const rows: (string | number)[][] = [];
    for (const concurrency of [1, 16]) {
      const figures = await compare(targets, { requests: 1500, concurrency, rounds: 5 });
      const base = figures[0]?.rps ?? 1;
      for (const one of figures)
        rows.push([concurrency, one.name, Math.round(one.rps), round(one.p50), round(one.p99), round(one.rps / base)]);
    }
    bare.kill();
    await host.stop();
    return table(['Concurrency', 'Target', 'Requests/s', 'p50 ms', 'p99 ms', 'Requests/s as a ratio to bare'], rows);
  },
};
