import { expect } from 'vitest';
import { call } from '../support/call.ts';
import { aUser, anApiKey } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';

verifies([], 'health answers 200 without a token after a real table read', async () => {
  expect(await call('GET /health')).toMatchObject({ status: 200, body: { status: true } });
});

verifies([], 'the handshake is richer for someone who is signed in', async () => {
  const person = await aUser();
  const anonymous = await call('GET /api/config');
  expect(anonymous.body.features).not.toHaveProperty('enable_api_keys');
  const token = await call('GET /api/config', undefined, { token: person.token });
  expect(token.body.features).toMatchObject({ enable_api_keys: true });
  const key = await call('GET /api/config', undefined, { token: await anApiKey(person) });
  expect(key.body.features).toMatchObject({ enable_api_keys: true });
});
