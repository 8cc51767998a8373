import { spawnHost } from '../support/spawn-host.ts';
import { startCountingProxy } from './counting-proxy.ts';
import { compare, median, type Target } from './load.ts';
import { round, table, type Section } from './report.ts';

const PASSWORD = 'correct horse battery staple';
const JSON_TYPE = { 'content-type': 'application/json' };

/** What it costs to know who is asking, and whether a failed login tells if the account exists. */
export const accounts: Section = {
  name: 'accounts',
  title: 'Accounts: who is asking, and login timing',
  async run() {
    const engine = await spawnHost();
    const proxy = await startCountingProxy(engine.endpoints.dynamodb);
    const host = await spawnHost({ env: { LOGIN_FAIL_FLOOR_MS: '400', BCRYPT_COST: '10', TRUSTED_PROXY_HOPS: '1' } });
    const counted = await spawnHost({ env: { AWS_ENDPOINT_URL_DYNAMODB: proxy.url } });
    const parts = [
      await costs(host.url),
      await roundTrips(counted.url, () => proxy.take()),
      await loginTiming(host.url),
    ];
    proxy.stop();
    await Promise.all([host, counted].map((one) => one.stop()));
    await engine.stop();
    return parts.join('\n\n');
  },
};

async function post(url: string, body: object, token?: string) {
  const headers = { ...JSON_TYPE, ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

async function signIn(url: string) {
  const email = `bench-${Date.now()}@example.test`;
  await post(`${url}/api/auth/register-company`, {
    companyName: `Bench ${Date.now()}`,
    name: 'Bench',
    email,
    password: PASSWORD,
  });
  const { body } = await post(`${url}/api/auth/login`, { email, password: PASSWORD });
  const { body: key } = await post(`${url}/api/auth/api-keys`, { name: 'bench' }, body['token']);
  return { email, token: body['token'] ?? '', key: key['key'] ?? '' };
}

async function costs(url: string) {
  const { token, key } = await signIn(url);
  const targets: Target[] = [
    { name: 'GET /health (one read, nobody asks)', url: `${url}/health` },
    {
      name: 'GET /api/auth/validate by token',
      url: `${url}/api/auth/validate`,
      headers: { authorization: `Bearer ${token}` },
    },
    { name: 'GET /api/auth/me by token', url: `${url}/api/auth/me`, headers: { authorization: `Bearer ${token}` } },
    { name: 'GET /api/auth/me by API key', url: `${url}/api/auth/me`, headers: { 'x-api-key': key } },
  ];
  const figures = await compare(targets, { requests: 400, concurrency: 8, rounds: 5 });
  const base = figures[0]?.rps ?? 1;
  return table(
    ['Target', 'Requests/s', 'p50 ms', 'p99 ms', 'Requests/s as a ratio to /health'],
    figures.map((one) => [one.name, Math.round(one.rps), round(one.p50), round(one.p99), round(one.rps / base)]),
  );
}

async function roundTrips(url: string, take: () => number) {
  const { token, key } = await signIn(url);
  const calls: [string, string, Record<string, string>][] = [
    ['GET /health', '/health', {}],
    ['GET /api/auth/validate by token', '/api/auth/validate', { authorization: `Bearer ${token}` }],
    ['GET /api/auth/validate by API key, first use in the process', '/api/auth/validate', { 'x-api-key': key }],
    ['GET /api/auth/validate by API key, afterwards', '/api/auth/validate', { 'x-api-key': key }],
    ['GET /api/auth/me by token', '/api/auth/me', { authorization: `Bearer ${token}` }],
  ];
  const rows: [string, number][] = [];
  for (const [name, path, headers] of calls) {
    await new Promise((resolve) => setTimeout(resolve, 400)); // whatever runs behind earlier answers has ended
    take();
    await fetch(`${url}${path}`, { headers });
    await new Promise((resolve) => setTimeout(resolve, 100));
    rows.push([name, take()]);
  }
  return `Table round trips per request, counted by a proxy before the engine (the background polls of the host are included):\n\n${table(['Request', 'Round trips'], rows)}`;
}

async function loginTiming(url: string) {
  const { email } = await signIn(url);
  const times = { known: [] as number[], unknown: [] as number[] };
  const attempt = async (kind: keyof typeof times, address: string) => {
    const startedAt = performance.now();
    await post(`${url}/api/auth/login`, { email: address, password: 'not the password' });
    times[kind].push(performance.now() - startedAt);
  };
  // Throttles count per account, so each attempt that must not be throttled gets an account of its own.
  for (let n = 0; n < 30; n += 1) {
    await attempt('known', await freshAccount(url, `${n}-${email}`));
    await attempt('unknown', `${n}-nobody-${email}`);
  }
  const [known, unknown] = [median(times.known), median(times.unknown)];
  return `Failed logins, 30 interleaved tries: known account ${round(known, 0)} ms, unknown account ${round(unknown, 0)} ms (medians), ratio ${round(known / unknown)}.`;
}

let addresses = 0;

/** Registration is throttled by address, so every account comes from another one; the bench host trusts one proxy. */
async function freshAccount(url: string, email: string) {
  addresses += 1;
  const headers = { ...JSON_TYPE, 'x-forwarded-for': `198.51.100.${addresses % 250}` };
  const body = JSON.stringify({ name: 'Bench', email, password: PASSWORD });
  const response = await fetch(`${url}/api/auth/register`, { method: 'POST', headers, body });
  if (response.status >= 300) throw new Error(`Registration answered ${response.status}`);
  return email;
}
