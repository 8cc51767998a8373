import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aStoredChat, getChat } from '../chats/a-chat.ts';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { aUser } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { spawnHost, type SpawnedHost } from '../support/spawn-host.ts';
import { startModelServer, type ModelServer } from './model-server.ts';

/** A second host on the same tables, with settings of its own. */
let models: ModelServer;
let other: SpawnedHost;

beforeAll(async () => {
  models = await startModelServer();
  other = await spawnHost({
    env: {
      AWS_ENDPOINT_URL_DYNAMODB: host.endpoints.dynamodb,
      AWS_ENDPOINT_URL_S3: host.endpoints.s3,
      SVC_URL: host.url,
      COMPAT_API_BASE_URLS: models.compat,
      UPSTREAM_BASE_URL: models.runtime,
      TASK_MODEL: 'title',
      HTTP_CLIENT_TIMEOUT: '2',
      BUILD_CHANNEL: 'prerelease',
    },
  });
});
afterAll(async () => {
  await models.stop();
  await other.stop();
});

const messages = [{ role: 'user', content: 'Hello' }];
const ask = (body: Record<string, unknown>, person: { token: string }) =>
  call('POST /api/chat/completions', { messages, ...body }, { ...person, url: other.url });

describe('settings', () => {
  verifies('limits/http-client-timeout', 'a model that takes longer than HTTP_CLIENT_TIMEOUT is given up', async () => {
    const person = await aUser();
    const late = await ask({ model: 'held' }, person);
    expect(late).toMatchObject({ status: 504, body: { error: { code: 'upstream_timeout' } } });
    const { id: chat_id, answer } = await aStoredChat(person);
    const { body } = await ask({ model: 'held', stream: true, chat_id, id: answer.id }, person);
    expect(body).toContain('did not answer within 2 seconds');
    expect((await getChat(person, chat_id)).body.chat.history.messages[answer.id]).toMatchObject({
      done: true,
      content: expect.stringMatching(/^Grüße/),
      error: { content: expect.stringContaining('within 2 seconds') },
    });
    models.release();
  });

  test('TASK_MODEL does the small tasks of local models', async () => {
    const person = await aUser();
    const { id: chat_id, answer } = await aStoredChat(person);
    const background_tasks = { title_generation: true };
    await ask({ model: 'local-only', chat_id, id: answer.id, background_tasks }, person);
    await expect.poll(async () => (await getChat(person, chat_id)).body.title).toBe('A fine title');
    expect(models.asked('title').length).toBe(1);
  });

  test('BUILD_CHANNEL prerelease marks the older route as deprecated', async () => {
    const { token } = await aUser();
    const body = { model: 'plain', messages: [...messages, { role: 'assistant', content: 'Hi' }], extra: 1 };
    const here = await call('POST /api/chat/completed', { ...body, model: 'demo' }, { token });
    const there = await call('POST /api/chat/completed', body, { token, url: other.url });
    expect(here).toMatchObject({ status: 200, body: { messages: body.messages, extra: 1 } });
    expect(here.headers.get('deprecation')).toBeNull();
    expect(there.headers.get('deprecation')).toBe('true');
    expect((await call('POST /api/chat/completed', { ...body, model: 'absent' }, { token })).status).toBe(404);
  });
});

test('a reply that one process writes is listed and stopped by another', async () => {
  const person = await aUser();
  const { id: chat_id, answer } = await aStoredChat(person);
  const { body } = await ask(
    { model: 'endless', stream: true, chat_id, id: answer.id, session_id: randomUUID() },
    person,
  );
  expect((await call(`GET /api/tasks/chat/${chat_id}`, undefined, person)).body).toEqual({ task_ids: body.task_ids });
  expect((await call(`POST /api/tasks/stop/${body.task_id}`, undefined, person)).status).toBe(200);
  const reply = async () => (await getChat(person, chat_id)).body.chat.history.messages[answer.id];
  await expect.poll(async () => (await reply()).done, { timeout: 5000 }).toBe(true);
  expect(await reply()).not.toHaveProperty('error');
  await expect.poll(() => models.asked('endless').at(-1)!.isAbandoned).toBe(true);
});
