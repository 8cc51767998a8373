import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

/** Secrets Manager and the parameter store, as far as a starting function speaks to them. */
const STORED: Readonly<Record<string, object>> = {
  'secretsmanager.GetSecretValue': {
    SecretString: JSON.stringify({ JWT_SECRET: '0123456789abcdef'.repeat(4), SVC_NAME: 'Cloudy' }),
  },
  'AmazonSSM.GetParameter': { Parameter: { Value: 'https://d111111abcdef8.cloudfront.net' } },
};

const server = createServer((request, response) => {
  response.end(JSON.stringify(STORED[String(request.headers['x-amz-target'])] ?? {}));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.stubEnv('AWS_ENDPOINT_URL', url);
  vi.stubEnv('SETTINGS_SECRET', 'atrium-prod-settings');
  vi.stubEnv('ADDRESS_PARAMETER', '/atrium/prod/address');
});

afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

test('a deployed function learns its settings from the secret and its address from the deployment', async () => {
  const { loadSettings } = await import('../../shared/settings/load.ts');
  expect(await loadSettings()).toMatchObject({ SVC_NAME: 'Cloudy', SVC_URL: 'https://d111111abcdef8.cloudfront.net' });
});
