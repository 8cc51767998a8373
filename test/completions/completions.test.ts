import { describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { anApiKey, anOrg, aUser } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { useGateway } from './gateway.ts';
import { TEXT } from './model-server.ts';
import { framesOf, textIn } from './sse.ts';

const gateway = useGateway();
const messages = [{ role: 'user', content: 'Hello' }];

const PATHS = ['/api/chat/completions', '/api/v1/chat/completions'];

describe('a chat completion', () => {
  verifies(
    ['completions/format', 'completions/stream-default', 'completions/hosted-models', 'completions/local-models'],
    'is one object of the common format unless a stream is asked for, whichever format the model speaks',
    async () => {
      const token = await anApiKey(await aUser());
      for (const model of [gateway.chat('plain'), gateway.messages('plain'), gateway.runtime('plain')]) {
        for (const path of PATHS) {
          const { status, body } = await call(`POST ${path}`, { model, messages }, { token });
          expect({ status, body }).toMatchObject({
            status: 200,
            body: {
              object: 'chat.completion',
              choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
              usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 },
            },
          });
        }
      }
      expect(gateway.server.asked('plain').map(({ path, body }) => [path, body.stream])).toEqual(
        expect.arrayContaining([
          ['/v1/chat/completions', undefined],
          ['/anthropic/v1/messages', false],
          ['/api/chat', false],
        ]),
      );
      expect(gateway.server.asked('plain')[0]!.headers).toMatchObject({ authorization: 'Bearer upstream-key' });
    },
  );

  verifies(
    'completions/stream-sse',
    'is an event stream when asked for, whichever format the model speaks',
    async () => {
      const { token } = await aUser();
      for (const model of [gateway.chat('plain'), gateway.messages('plain'), gateway.runtime('plain')]) {
        const asked = { model, messages, stream: true, stream_options: { include_usage: true } };
        const { status, body, headers } = await call('POST /api/chat/completions', asked, { token });
        expect(status).toBe(200);
        expect(headers.get('content-type')).toContain('text/event-stream');
        const frames = framesOf(body);
        expect(frames.at(-1)).toBe('[DONE]');
        expect(textIn(body)).toBe(TEXT);
        expect(frames.findLast((frame) => typeof frame !== 'string' && frame['usage'])).toMatchObject({
          usage: { prompt_tokens: 7, completion_tokens: 5 },
        });
      }
    },
  );

  test.each(['awkward', 'crlf', 'whole'])('survives a server that streams like "%s"', async (model) => {
    const { token } = await aUser();
    const asked = { model: gateway.chat(model), messages, stream: true };
    const { body } = await call('POST /api/chat/completions', asked, { token });
    expect(textIn(body)).toBe(TEXT);
    expect(body).toContain('data: [DONE]');
  });

  verifies(
    'completions/tools-forwarded',
    'forwards the tools of the caller untouched and returns the calls',
    async () => {
      const { token } = await aUser();
      const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' }, strict: true } }];
      for (const model of [gateway.chat('tools'), gateway.messages('tools'), gateway.runtime('tools')]) {
        const asked = { model, messages, tools, tool_choice: 'auto', tool_ids: ['ignored'] };
        const { body } = await call('POST /api/chat/completions', asked, { token });
        expect(body.choices[0]).toMatchObject({
          finish_reason: 'tool_calls',
          message: {
            tool_calls: [
              { id: 'call_a', type: 'function', function: { name: 'weather', arguments: '{"city":"Zürich"}' } },
              {},
            ],
          },
        });
      }
      expect(gateway.server.asked('tools')[0]!.body).toMatchObject({ tools, tool_choice: 'auto' });
      expect(gateway.server.asked('tools')[0]!.body).not.toHaveProperty('tool_ids');
    },
  );

  verifies(
    ['completions/temperature', 'completions/variables'],
    'passes settings on and fills variables in prompts',
    async () => {
      const person = await aUser();
      const asked = {
        model: gateway.chat('limited'),
        messages: [
          {
            role: 'system',
            content: 'Help {{USER_NAME}} in {{USER_LANGUAGE}}, {{CURRENT_DATETIME}} {{CURRENT_TIMEZONE}}',
          },
          ...messages,
        ],
        temperature: 0.25,
        seed: 7,
        custom_field: { kept: true },
        params: { top_p: 0.5 },
        variables: {
          '{{USER_LANGUAGE}}': 'de',
          '{{CURRENT_DATETIME}}': 'noon',
          '{{CURRENT_TIMEZONE}}': 'Europe/Zurich',
        },
      };
      const { body } = await call('POST /api/chat/completions', asked, person);
      expect(body.choices[0].finish_reason).toBe('length');
      const [sent] = gateway.server.asked('limited');
      expect(sent!.body).toMatchObject({ temperature: 0.25, seed: 7, custom_field: { kept: true }, top_p: 0.5 });
      expect(sent!.body.messages[0].content).toBe(`Help ${person.name} in de, noon Europe/Zurich`);
      expect(sent!.body).not.toHaveProperty('variables');
    },
  );

  test('shows images to models of every format', async () => {
    const { token } = await aUser();
    const url = 'data:image/png;base64,iVBORw0KGgo=';
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url } },
    ];
    for (const model of [gateway.chat('plain'), gateway.messages('plain'), gateway.runtime('plain')]) {
      await call('POST /api/chat/completions', { model, messages: [{ role: 'user', content }] }, { token });
    }
    const seen = gateway.server.seen.slice(-3).map(({ body }) => body.messages[0]);
    expect(seen).toEqual([
      { role: 'user', content },
      {
        role: 'user',
        content: [
          content[0],
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
        ],
      },
      { role: 'user', content: 'What is this?', images: ['iVBORw0KGgo='] },
    ]);
  });
});

describe('a chat completion is refused', () => {
  verifies(
    ['completions/model-required', 'completions/messages-required', 'chats/models-exist'],
    'without a model that exists or without messages',
    async () => {
      const { token } = await aUser();
      const refusals = [
        [{ messages }, 422],
        [{ model: gateway.chat('plain') }, 422],
        [{ model: gateway.chat('plain'), messages: 'Hello' }, 422],
        [{ model: gateway.chat('plain'), messages: [{ content: 'Hello' }] }, 422],
        [{ model: 'no-such-model', messages }, 404],
        [{ model: gateway.chat('unlisted'), messages }, 404],
      ] as const;
      for (const [body, status] of refusals) {
        expect(await call('POST /api/chat/completions', body, { token })).toMatchObject({
          status,
          body: { error: { message: expect.any(String) } },
        });
      }
    },
  );

  test('with a model that is not for the caller exactly as with one that does not exist', async () => {
    const { token } = await aUser();
    const restricted = {
      kind: 'compat',
      url: gateway.server.compat,
      prefix_id: `x${Date.now()}`,
      model_ids: ['plain'],
      access: 'restricted',
    };
    const { body: connection } = await call('POST /api/v1/connections', restricted, gateway.operator);
    const ask = (model: string) => call('POST /api/chat/completions', { model, messages }, { token });
    const [hidden, absent] = [await ask(`${restricted.prefix_id}.plain`), await ask('absent')];
    const { request_id: _one, ...error } = hidden.body.error;
    const { request_id: _two, ...other } = absent.body.error;
    expect([hidden.status, error]).toEqual([absent.status, other]);
    expect(hidden.status).toBe(404);
    await call(`DELETE /api/v1/connections/${connection.id}`, undefined, gateway.operator);
  });

  test('with files, which nobody here reads yet, by the name of the field', async () => {
    const { token } = await aUser();
    const asked = { model: gateway.chat('plain'), messages, files: [{ type: 'file', id: 'f' }] };
    expect(await call('POST /api/chat/completions', asked, { token })).toMatchObject({
      status: 501,
      body: { detail: expect.stringContaining('"files"'), error: { code: 'not_available', param: 'files' } },
    });
  });

  test('by its model server: with the status and the words of that server', async () => {
    const { token } = await aUser();
    for (const stream of [false, true]) {
      for (const model of [gateway.chat('refuses'), gateway.messages('refuses'), gateway.runtime('refuses')]) {
        const answer = await call('POST /api/chat/completions', { model, messages, stream }, { token });
        expect(answer).toMatchObject({
          status: 429,
          body: {
            detail: 'Too many tokens today',
            error: { message: 'Too many tokens today', type: 'rate_limit_error' },
          },
        });
        expect(answer.headers.get('retry-after')).toBe('7');
      }
    }
  });

  test('as our own fault when the server refuses our key, so that nobody signs out', async () => {
    const { token } = await aUser();
    const answer = await call(
      'POST /api/chat/completions',
      { model: gateway.chat('unauthorized'), messages },
      { token },
    );
    expect(answer).toMatchObject({
      status: 502,
      body: { error: { message: 'Too many tokens today', upstream_status: 401 } },
    });
  });

  test('beyond what the plan allows, and a failed one costs nothing', async () => {
    const { admin } = await anOrg({ id: 'team', limits: { completions_per_day: 2 } });
    const ask = (model: string) => call('POST /api/chat/completions', { model: gateway.chat(model), messages }, admin);
    expect((await ask('refuses')).status).toBe(429);
    await expect.poll(async () => (await ask('no-such')).status).toBe(404);
    expect((await ask('plain')).status).toBe(200);
    expect((await ask('plain')).status).toBe(200);
    expect(await ask('plain')).toMatchObject({
      status: 429,
      body: { error: { code: 'rate_limited', limit: 'completions_per_day' } },
    });
  });
});

describe('an answer that breaks', () => {
  test.each(['breaks', 'cut'])('in the middle of a stream ends with an error frame (%s)', async (how) => {
    const { token } = await aUser();
    for (const model of [gateway.chat(how), gateway.runtime(how)]) {
      const { status, body } = await call('POST /api/chat/completions', { model, messages, stream: true }, { token });
      expect(status).toBe(200);
      expect(textIn(body)).toContain('Grüße');
      const error = framesOf(body).find((frame) => typeof frame !== 'string' && frame['error']);
      expect(error).toMatchObject({ error: { message: expect.any(String) } });
      expect(framesOf(body).at(-1)).toBe('[DONE]');
    }
  });

  test('stops at its server when the caller hangs up', async () => {
    const { token } = await aUser();
    const aborted = new AbortController();
    const response = await fetch(`${host.url}/api/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: gateway.chat('endless'), messages, stream: true }),
      signal: aborted.signal,
    });
    await response.body!.getReader().read();
    aborted.abort();
    await expect.poll(() => gateway.server.asked('endless').every(({ isAbandoned }) => isAbandoned)).toBe(true);
  });
});

test('the demo model answers without a network, the same every time', async () => {
  const { token } = await aUser();
  const ask = (content: string, stream = false) =>
    call('POST /api/chat/completions', { model: 'demo', messages: [{ role: 'user', content }], stream }, { token });
  const whole = (await ask('Hi there')).body.choices[0].message.content;
  expect(whole).toContain('Hi there');
  expect(textIn((await ask('Hi there', true)).body)).toBe(whole);
  expect((await ask('Show me markdown')).body.choices[0].message.content).toContain('| --- |');
});
