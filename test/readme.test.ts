import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnHost, type SpawnedHost } from './support/spawn-host.ts';

let host: SpawnedHost;
beforeAll(async () => {
  host = await spawnHost();
});
afterAll(() => host.stop());

/** The tour as a person would paste it, against a host of its own. */
test('every call of the README tour works as pasted', () => {
  const [, tour = ''] = /<!-- tour -->\n```sh\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? [];
  const script = `set -euo pipefail\n${tour.replace('BASE=http://localhost:3000', `BASE=${host.url}`)}`;
  const env = { ...process.env, PATH: `${path.resolve('node_modules/.bin')}:${process.env['PATH']}` };
  const run = spawnSync('bash', ['-c', script], { encoding: 'utf8', env, timeout: 30_000 });
  expect(run.stderr).toBe('');
  expect(run.status).toBe(0);
  expect(run.stdout).toContain('"ROLE_ORG_ADMIN"');
  expect(run.stdout).toContain('data: [DONE]');
  expect(run.stdout).toContain('"type":"message"');
  expect(run.stdout).toContain('"PENDING"');
}, 60_000);
