import { spawn } from 'node:child_process';
import http from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { spawnHost } from '../support/spawn-host.ts';
import { verifies } from '../support/verifies.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'atrium-host-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const writer = (dynamodb: string) =>
  spawn(process.execPath, ['test/local/write-loop.ts'], {
    env: {
      ...process.env,
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      TABLE_SETTINGS: 'atrium-settings',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

test('every acknowledged write survives kill -9 of the host, and the engine it leaves behind is ended by the next start', async () => {
  const first = await spawnHost({ dataDir: folder });
  const loop = writer(first.endpoints.dynamodb);
  let acknowledged = -1;
  createInterface(loop.stdout).on('line', (line) => (acknowledged = Number(line)));
  await expect.poll(() => acknowledged, { timeout: 10_000 }).toBeGreaterThan(50);
  process.kill(first.pid, 'SIGKILL');
  const ended = new Promise((resolve) => loop.once('exit', resolve));
  const second = await spawnHost({ dataDir: folder });
  await ended;
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = second.endpoints.dynamodb;
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
    TABLE_SETTINGS: 'atrium-settings',
  });
  const { openTable } = await import('../../shared/store/table.ts');
  const rows = await Array.fromAsync(openTable('settings').walk({ pk: 'LOOP' }));
  expect(rows.length).toBeGreaterThan(acknowledged);
  await second.stop();
}, 30_000);

test('a second host on the same folder is refused in one sentence', async () => {
  const running = await spawnHost({ dataDir: folder });
  await expect(spawnHost({ dataDir: folder })).rejects.toThrow(/stopped with code 1:[\s\S]*is in use by process \d+/);
  await running.stop();
});

test('a taken port is refused in one sentence', async () => {
  const blocker = http.createServer();
  await new Promise<void>((resolve) => blocker.listen(0, resolve));
  const { port } = blocker.address() as AddressInfo;
  await expect(spawnHost({ args: ['--port', String(port)] })).rejects.toThrow(
    new RegExp(`stopped with code 1:\\s+Port ${port} is taken; choose another with --port\\.`),
  );
  blocker.close();
});

test('an unknown option shows the usage', async () => {
  await expect(spawnHost({ args: ['--colour'] })).rejects.toThrow(/stopped with code 1:[\s\S]*Usage: npm start/);
});

verifies(
  ['health/up', 'health/open', 'health/covers-startup', 'health/covers-database'],
  'health is 200 while the tables answer and 503 once they do not',
  async () => {
    const host = await spawnHost();
    expect(await call('GET /health', undefined, { url: host.url })).toMatchObject({
      status: 200,
      body: { status: true },
    });
    const unreachable = await spawnHost({ env: { AWS_ENDPOINT_URL_DYNAMODB: host.endpoints.dynamodb } });
    await host.stop('SIGTERM');
    expect(await call('GET /health', undefined, { url: unreachable.url })).toMatchObject({
      status: 503,
      body: { error: { code: 'dependency_unavailable' } },
    });
    await unreachable.stop();
  },
  40_000,
);

verifies(['docs/dev-only'], 'documentation and mailbox exist only when ENV is dev', async () => {
  const production = await spawnHost({ env: { ENV: 'prod', BCRYPT_COST: '10' } });
  for (const page of ['/docs', '/openapi.json', '/docs/start.js', '/dev/mailbox']) {
    expect(await call(`GET ${page}`, undefined, { url: production.url })).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    });
    expect(await call(`GET ${page}`)).toMatchObject({ status: 200 });
  }
  await production.stop();
});

test('Ctrl-C stops everything the host has started', async () => {
  const host = await spawnHost();
  await host.stop('SIGTERM');
  expect(host.process.exitCode).toBe(0);
  await expect(fetch(host.endpoints.dynamodb)).rejects.toThrow('fetch failed');
  await expect(fetch(host.endpoints.aws)).rejects.toThrow('fetch failed');
});
