import { Ollama } from 'ollama';
import { describe, expect, test } from 'vitest';
import { useGateway } from '../completions/gateway.ts';
import { RUNTIME_MODELS, TEXT } from '../completions/model-server.ts';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { anApiKey, anOrg, aUser } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';

const gateway = useGateway();

const clientOf = async () => {
  const key = await anApiKey(await aUser());
  return new Ollama({ host: `${host.url}/upstream`, headers: { authorization: `Bearer ${key}` } });
};

/** The place of this file's runtime among all that the host has. */
const place = async (token: string) => {
  const { models } = (await call('GET /upstream/api/tags', undefined, { token })).body;
  return models.find(({ model }: { model: string }) => model === gateway.runtime('plain')).urls[0] as number;
};

describe('the official client of the runtime', () => {
  verifies('runtime/tags', 'lists the models under the names that callers use', async () => {
    const { models } = await (await clientOf()).list();
    const own = models.filter(({ model }) => model.startsWith(gateway.runtime('')));
    expect(own.map(({ model }) => model)).toEqual(RUNTIME_MODELS.map((name) => gateway.runtime(name)));
    expect(own[0]).toMatchObject({ details: { family: 'test' }, connection_type: 'local', urls: [expect.any(Number)] });
  });

  verifies('runtime/generate', 'streams a completion, line by line', async () => {
    const client = await clientOf();
    let text = '';
    let last;
    for await (const part of await client.generate({ model: gateway.runtime('plain'), prompt: 'Hi', stream: true })) {
      text += part.response;
      last = part;
    }
    expect(text).toBe(TEXT);
    expect(last).toMatchObject({ done: true, eval_count: 5 });
    const whole = await client.generate({ model: gateway.runtime('plain'), prompt: 'Hi' });
    expect(whole.response).toBe(TEXT);
  });

  verifies(['runtime/passthrough', 'runtime/embed'], 'reaches every part of the native API', async () => {
    const client = await clientOf();
    const model = gateway.runtime('plain');
    const asked = { options: { temperature: 0.5, num_ctx: 9 }, keep_alive: '5m' };
    const chat = await client.chat({ model, messages: [{ role: 'user', content: 'Hi' }], ...asked });
    expect(chat.message.content).toBe(TEXT);
    expect(gateway.server.seen.at(-1)).toMatchObject({ path: '/api/chat', body: { model: 'plain', ...asked } });
    expect((await client.embed({ model, input: ['a', 'b'] })).embeddings).toEqual([
      [0, 0.5],
      [1, 0.5],
    ]);
    expect((await client.embeddings({ model, prompt: 'a' })).embedding).toEqual([1, 2, 3]);
    expect(await client.show({ model })).toMatchObject({ modelfile: 'FROM x', asked: 'plain' });
    expect((await client.version()).version).toEqual(expect.any(String));
  });

  test('uses tools in both directions', async () => {
    const client = await clientOf();
    const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } }];
    const question = { role: 'user', content: 'Weather?' };
    const { message } = await client.chat({ model: gateway.runtime('tools'), messages: [question], tools });
    expect(message.tool_calls).toMatchObject([{ function: { name: 'weather', arguments: { city: 'Zürich' } } }, {}]);
    const result = { role: 'tool', content: 'Rain', tool_name: 'weather' };
    await client.chat({ model: gateway.runtime('plain'), messages: [question, message, result], tools });
    expect(gateway.server.seen.at(-1)!.body.messages.at(-1)).toEqual(result);
  });

  test('sends images', async () => {
    const client = await clientOf();
    await client.generate({ model: gateway.runtime('plain'), prompt: 'What?', images: ['iVBORw0KGgo='] });
    expect(gateway.server.seen.at(-1)!.body.images).toEqual(['iVBORw0KGgo=']);
  });

  test('raises the words of the runtime, also in the middle of a stream', async () => {
    const client = await clientOf();
    const messages = [{ role: 'user', content: 'Hi' }];
    await expect(client.chat({ model: gateway.runtime('refuses'), messages })).rejects.toMatchObject({
      message: 'Too many tokens today',
      status_code: 429,
    });
    await expect(client.chat({ model: 'absent', messages })).rejects.toMatchObject({
      message: 'Model not found',
      status_code: 404,
    });
    for (const model of ['breaks', 'cut']) {
      const stream = await client.chat({ model: gateway.runtime(model), messages, stream: true });
      await expect(Array.fromAsync(stream)).rejects.toThrow(/Too many tokens|upstream/i);
    }
  });

  test('can leave: the runtime then stops', async () => {
    const client = await clientOf();
    const stream = await client.generate({ model: gateway.runtime('held'), prompt: 'Hi', stream: true });
    for await (const part of stream) {
      expect(part.response).toBeTruthy();
      stream.abort();
      break;
    }
    await expect.poll(() => gateway.server.asked('held').at(-1)!.isAbandoned).toBe(true);
  });

  test('also reaches models that no runtime has, translated', async () => {
    const client = await clientOf();
    const messages = [{ role: 'user', content: 'Hi' }];
    for (const model of [gateway.chat('plain'), gateway.messages('plain')]) {
      expect((await client.chat({ model, messages })).message.content).toBe(TEXT);
      expect((await client.generate({ model, prompt: 'Hi' })).response).toBe(TEXT);
    }
    const parts = await Array.fromAsync(await client.chat({ model: 'demo', messages, stream: true }));
    expect(parts.map(({ message }) => message.content).join('')).toContain('You said: "Hi"');
    await expect(client.embed({ model: 'demo', input: 'x' })).rejects.toThrow('nothing like this');
  });
});

describe('several runtimes behind one address', () => {
  test('can be named by their place, and only for models they have', async () => {
    const { token } = await aUser();
    const index = await place(token);
    const ask = (route: string, model = gateway.runtime('plain')) =>
      call(
        `POST ${route}`,
        { model, prompt: 'Hi', messages: [{ role: 'user', content: 'Hi' }], input: 'x', stream: false },
        { token },
      );
    for (const path of [
      '/api/generate',
      '/api/chat',
      '/api/embed',
      '/v1/chat/completions',
      '/v1/completions',
      '/v1/embeddings',
    ]) {
      expect((await ask(`/upstream${path}/${index}`)).status).toBe(200);
    }
    expect((await ask(`/upstream/api/generate/${index}`, gateway.chat('plain'))).status).toBe(404);
    expect((await ask('/upstream/api/generate/9999')).status).toBe(404);
    expect((await ask('/upstream/api/generate/x')).status).toBe(404);
    const tags = await call(`GET /upstream/api/tags/${index}`, undefined, { token });
    expect(tags.body.models).toHaveLength(RUNTIME_MODELS.length);
    expect((await call(`GET /upstream/api/version/${index}`, undefined, { token })).body).toEqual({ version: '0.9.1' });
    const models = await call(`GET /upstream/v1/models/${index}`, undefined, { token });
    expect(models.body.data[0]).toMatchObject({ object: 'model', owned_by: 'upstream' });
  });
});

describe('the passthrough is guarded', () => {
  verifies(['runtime/content-type', 'runtime/authorization'], 'by the content type and by a credential', async () => {
    const { token } = await aUser();
    const body = JSON.stringify({ model: gateway.runtime('plain'), prompt: 'Hi', stream: false });
    const post = (headers: Record<string, string>) => call('POST /upstream/api/generate', body, { headers });
    const bearer = { authorization: `Bearer ${token}` };
    expect(await post(bearer)).toMatchObject({ status: 415, body: { error: expect.stringContaining('Content-Type') } });
    expect((await post({ ...bearer, 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post({ 'content-type': 'application/json' })).status).toBe(401);
    expect((await post({ ...bearer, 'content-type': 'application/json; charset=utf-8' })).status).toBe(200);
    expect((await call('GET /upstream')).body).toEqual({ status: true });
  });

  test('by access: a restricted runtime is not there for others, and nobody can hide another model in a request', async () => {
    const { token } = await aUser();
    const prefix_id = `x${Date.now()}`;
    const restricted = { kind: 'runtime', url: gateway.server.runtime, prefix_id, access: 'restricted' };
    const { body: connection } = await call('POST /api/v1/connections', restricted, gateway.operator);
    expect(
      (await call('POST /upstream/api/generate', { model: `${prefix_id}.plain`, prompt: 'Hi' }, { token })).status,
    ).toBe(404);
    const hidden = {
      model: gateway.runtime('plain'),
      Model: 'local-only',
      name: 'local-only',
      prompt: 'Hi',
      stream: false,
    };
    await call('POST /upstream/api/generate', hidden, { token });
    expect(JSON.stringify(gateway.server.seen.at(-1)!.body)).not.toContain('local-only');
    await call(`DELETE /api/v1/connections/${connection.id}`, undefined, gateway.operator);
  });

  test('by the plan of the caller', async () => {
    const { admin } = await anOrg({ id: 'team', limits: { completions_per_day: 1 } });
    const ask = () =>
      call('POST /upstream/api/generate', { model: gateway.runtime('plain'), prompt: 'Hi', stream: false }, admin);
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
  });
});

describe('operators manage the models of a runtime', () => {
  test('under the names that callers use', async () => {
    const operator = gateway.operator;
    const index = await place((await aUser()).token);
    const pulled = await call(`POST /upstream/api/pull/${index}`, { model: gateway.runtime('new') }, operator);
    expect(pulled.headers.get('content-type')).toBe('application/x-ndjson');
    expect(pulled.body.trim().split('\n')).toHaveLength(4);
    expect(gateway.server.seen.at(-1)!.body.model).toBe('new');
    expect((await call('DELETE /upstream/api/delete', { name: gateway.runtime('plain') }, operator)).body).toBe(true);
    expect(gateway.server.seen.at(-1)).toMatchObject({
      method: 'DELETE',
      path: '/api/delete',
      body: { model: 'plain' },
    });
    const copy = { source: gateway.runtime('plain'), destination: 'copied' };
    expect((await call('POST /upstream/api/copy', copy, operator)).body).toBe(true);
    expect(gateway.server.seen.at(-1)!.body).toEqual({ source: 'plain', destination: 'copied' });
    expect((await call('POST /upstream/api/unload', { model: gateway.runtime('plain') }, operator)).body).toEqual({
      status: true,
    });
    expect(gateway.server.seen.at(-1)).toMatchObject({
      path: '/api/generate',
      body: { model: 'plain', keep_alive: 0 },
    });
    expect((await call(`POST /upstream/api/push/${index}`, { model: gateway.runtime('plain') }, operator)).status).toBe(
      200,
    );
    expect(
      (await call(`DELETE /upstream/api/push/${index}`, { model: gateway.runtime('plain') }, operator)).status,
    ).toBe(200);
    const created = await call(`POST /upstream/api/create/${index}`, { model: 'made', from: 'nothing' }, operator);
    expect(created).toMatchObject({ status: 400, body: { error: 'no such base model' } });
    expect((await call('GET /upstream/api/ps', undefined, operator)).body.models).toContainEqual(
      expect.objectContaining({ model: 'plain' }),
    );
  });
});
