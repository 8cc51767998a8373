import { expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { anApiKey, anOrg } from '../support/people.ts';
import { host } from '../support/host.ts';
import { spawnHost } from '../support/spawn-host.ts';

test('hosts that share tables let exactly as many completions pass as the plan has', async () => {
  const tables = { AWS_ENDPOINT_URL_DYNAMODB: host.endpoints.dynamodb, AWS_ENDPOINT_URL_S3: host.endpoints.s3 };
  const others = await Promise.all([1, 2].map(() => spawnHost({ env: { ...tables, SVC_URL: host.url } })));
  try {
    const { admin } = await anOrg({ id: 'team', limits: { completions_per_day: 40 } });
    const token = await anApiKey(admin);
    const body = { model: 'demo', messages: [{ role: 'user', content: 'Hello' }] };
    const asks = others.flatMap(({ url }) =>
      Array.from({ length: 40 }, () => call('POST /api/chat/completions', body, { token, url })),
    );
    const statuses = (await Promise.all(asks)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(40);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
  } finally {
    await Promise.all(others.map((one) => one.stop()));
  }
});
