import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { seedDemo } from '../../infra/local/demo.ts';
import { loadSettings } from '../../shared/settings/load.ts';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';

const settings = await loadSettings();

test('the demo company can be signed in to, its curl works as pasted, and a second start finds it again', async () => {
  const first = await seedDemo(settings, host.url);
  expect(first.logins.map(({ email }) => email)).toEqual([
    'admin@demo.example',
    'member@demo.example',
    'operator@demo.example',
  ]);
  for (const { email, password } of first.logins.slice(0, 2)) {
    expect((await call('POST /api/auth/login', { email, password })).body).toMatchObject({ status: 'AUTHENTICATED' });
  }
  const { stdout } = await promisify(exec)(first.curl);
  expect(JSON.parse(stdout)).toMatchObject({ object: 'chat.completion', model: 'demo' });
  const second = await seedDemo(settings, host.url);
  expect(second.logins).toEqual(first.logins);
  const org = await call('GET /api/org/me', undefined, { token: second.apiKey });
  expect(org.body).toMatchObject({ activeMembers: 2, activeAdmins: 1, pendingInvites: 0, plan: { id: 'team' } });
  const keys = await call('GET /api/auth/api-keys', undefined, { token: second.apiKey });
  expect(keys.body.data).toHaveLength(1);
});

test('it is refused where ENV is not dev', async () => {
  await expect(seedDemo({ ...settings, ENV: 'prod' }, host.url)).rejects.toThrow('ENV=dev');
});
