import { beforeAll, describe, expect, test } from 'vitest';
import { framesOf, textIn } from '../completions/sse.ts';
import { useHost } from '../plugins/support/own-host.ts';
import { EVERYONE, upload } from '../plugins/support/plugin.ts';
import { aPendingReply, storedReply } from '../realtime/support/chat.ts';
import { call } from '../support/call.ts';
import { aUser } from '../support/people.ts';
import { useScriptedModels, type Asked, type Turn } from './scripted.ts';

const MATH = `export const plugin = definePlugin({ tools: {
  add: { description: 'adds', parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
    run: ({ a, b }) => 'sum ' + (a + b) },
  now: { description: 'tells the time', run: (args) => 'noon ' + JSON.stringify(args) },
  fail: { description: 'fails', run() { throw new Error('no luck'); } },
} });`;

const models = useScriptedModels();
let math = '';
beforeAll(async () => {
  math = (await upload(MATH, { registry: 'tools', access_grants: EVERYONE })).id;
});

const add = (a: number, b: number, id?: string) => ({ name: 'add', arguments: JSON.stringify({ a, b }), id });
const USAGE = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 };
/** Says what the tools have answered since the question. */
const REPEAT = (body: Asked) => ({
  text: `Heard: ${body['messages']
    .filter(({ role }: Asked) => role === 'tool')
    .map(({ content }: Asked) => String(content))
    .join(' | ')}`,
  usage: USAGE,
});

async function ask(turns: readonly Turn[], { model = models.chat(), ...more }: Record<string, unknown> = {}) {
  const question = models.question(turns);
  const { token } = await aUser();
  const messages = [{ role: 'user', content: question }];
  const answer = await call('POST /api/chat/completions', { model, messages, tool_ids: [math], ...more }, { token });
  return { ...answer, asked: models.asked(question) };
}

/** The same conversation, whole and streamed in every way that servers stream. */
const WAYS: [string, Record<string, unknown>][] = [
  ['whole', {}],
  ...['', '+bytes', '+crlf', '+lump', '+whole', '+unended'].map((knobs): [string, Record<string, unknown>] => [
    `streamed${knobs}`,
    { knobs, stream: true },
  ]),
];

const said = ({ body }: { body: unknown }) =>
  typeof body === 'string'
    ? textIn(body)
    : (body as { choices: { message: { content: string } }[] }).choices[0]!.message.content;

describe('a chat-completions server', () => {
  test.each(WAYS)('has two calls carried out at once and hears their results in its own order (%s)', async (_, way) => {
    const { knobs = '', ...more } = way;
    const turns = [{ text: 'Let me see.', calls: [add(1, 2), { name: 'now', arguments: '' }], usage: USAGE }, REPEAT];
    const answer = await ask(turns, { model: models.chat(String(knobs)), ...more });
    expect(answer.status).toBe(200);
    expect(said(answer)).toBe('Let me see.\n\nHeard: sum 3 | noon {}');
    expect(answer.asked).toHaveLength(2);
    expect(answer.asked[0]!['tools'].map((tool: Asked) => tool['function'].name)).toEqual(['add', 'now', 'fail']);
    expect(answer.asked[1]!['messages'].slice(-3)).toMatchObject([
      { role: 'assistant', content: 'Let me see.', tool_calls: [{ id: 'call_0' }, { function: { arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'call_0', content: 'sum 3' },
      { role: 'tool', tool_call_id: 'call_1', content: 'noon {}' },
    ]);
    expect(JSON.stringify(answer.body)).not.toContain('tool_calls');
  });

  test('may leave out the index, repeat the id or interleave two calls', async () => {
    const piece = (fields: object) => ({ tool_calls: [fields] });
    const spec = (name: string, text: string) => ({ function: { name, arguments: text } });
    const more = (text: string) => ({ function: { arguments: text } });
    const shapes = [
      [piece({ id: 'x', ...spec('add', '{"a":1,') }), piece(more('"b":1}')), piece({ id: 'y', ...spec('now', '') })],
      [
        piece({ index: 0, id: 'x', ...spec('add', '') }),
        piece({ index: 1, id: 'y', ...spec('now', '') }),
        piece({ index: 0, id: 'x', ...more('{"a":1,"b"') }),
        piece({ index: 1, id: 'y', ...more('{}') }),
        piece({ index: 0, id: 'x', ...more(':1}') }),
      ],
      [
        {
          tool_calls: [
            { index: 0, id: 'x', ...spec('add', '{"a":1,"b":1}') },
            { index: 0, id: 'y', ...spec('now', '{}') },
          ],
        },
      ],
    ];
    for (const deltas of shapes) {
      const answer = await ask([{ deltas }, REPEAT], { stream: true });
      expect(textIn(answer.body)).toBe('Heard: sum 2 | noon {}');
      expect(answer.asked[1]!['messages'].slice(-2)).toMatchObject([{ tool_call_id: 'x' }, { tool_call_id: 'y' }]);
    }
  });

  test('may call without ids at all', async () => {
    const deltas = [{ tool_calls: [{ index: 0, function: { name: 'add', arguments: '{"a":2,"b":2}' } }] }];
    const { asked, body } = await ask([{ deltas }, REPEAT], { stream: true });
    expect(textIn(body)).toBe('Heard: sum 4');
    const [called, result] = asked[1]!['messages'].slice(-2);
    expect(called.tool_calls[0].id).toMatch(/^call_/);
    expect(result.tool_call_id).toBe(called.tool_calls[0].id);
  });

  test.each(WAYS.slice(0, 2))('learns what was wrong with a call and goes on (%s)', async (_, more) => {
    const calls = [
      { name: 'add', arguments: '{"a": 1,, }' },
      { name: 'add', arguments: '[1, 2]' },
      { name: 'nothing', arguments: '{}' },
      { name: 'fail', arguments: '{}' },
    ];
    const { asked, ...answer } = await ask([{ calls }, REPEAT], more);
    expect(said(answer)).toBe(
      'Heard: Error: The arguments are not a JSON object | Error: The arguments are not a JSON object | ' +
        'Error: There is no tool "nothing" | Error: no luck',
    );
    // Servers that read the arguments again must not stumble over what their own model wrote.
    const sent = asked[1]!['messages'].at(-5).tool_calls.map((one: Asked) => one['function'].arguments);
    expect(sent.map((text: string) => JSON.parse(text))).toEqual([
      { raw_arguments: '{"a": 1,, }' },
      { raw_arguments: '[1, 2]' },
      {},
      {},
    ]);
  });

  test('is paid for all rounds', async () => {
    const turns = [
      { calls: [add(1, 1)], usage: { ...USAGE, prompt_tokens_details: { cached_tokens: 3 }, cost: 0.5 } },
      { calls: [add(2, 2)], usage: { ...USAGE, prompt_tokens_details: { cached_tokens: 4 }, cost: 0.25 } },
      REPEAT,
    ];
    const sum = {
      prompt_tokens: 30,
      completion_tokens: 12,
      total_tokens: 42,
      prompt_tokens_details: { cached_tokens: 7 },
      cost: 0.75,
    };
    const whole = await ask(turns);
    expect(whole.body.usage).toMatchObject(sum);
    const { body } = await ask(turns, { stream: true, stream_options: { include_usage: true } });
    const counted = framesOf(body).filter((frame) => typeof frame !== 'string' && frame['usage']);
    expect(counted).toHaveLength(1);
    expect(counted[0]).toMatchObject({ choices: [], usage: sum });
  });

  test('that refuses the second question ends the answer with its words', async () => {
    const turns = [{ text: 'One moment.', calls: [add(1, 1)] }, { status: 429 }];
    expect(await ask(turns)).toMatchObject({ status: 429, body: { detail: 'asked for 429' } });
    const { body } = await ask(turns, { stream: true });
    expect(textIn(body)).toBe('One moment.');
    expect(framesOf(body).slice(-2)).toMatchObject([{ error: { message: 'asked for 429' } }, '[DONE]']);
  });
});

describe('a runtime', () => {
  test.each([
    ['whole', {}],
    ['streamed', { stream: true }],
    ['streamed byte by byte', { stream: true, knobs: '+bytes' }],
  ])('gives its calls whole and hears the results under the names of the tools (%s)', async (_, way) => {
    const { knobs = '', ...more }: Record<string, unknown> = way;
    const turns = [{ calls: [add(20, 22), { name: 'now', arguments: '{}' }] }, REPEAT];
    const { asked, ...answer } = await ask(turns, { model: models.runtime(String(knobs)), ...more });
    expect(said(answer)).toBe('Heard: sum 42 | noon {}');
    expect(asked[1]!['messages'].slice(-3)).toMatchObject([
      { role: 'assistant', tool_calls: [{ function: { name: 'add', arguments: { a: 20, b: 22 } } }, {}] },
      { role: 'tool', tool_name: 'add', content: 'sum 42' },
      { role: 'tool', tool_name: 'now', content: 'noon {}' },
    ]);
  });
});

describe('a model that calls for ever', () => {
  const host = useHost({ CHAT_RESPONSE_MAX_TOOL_CALL_ITERATIONS: '3' });

  test('is stopped after as many rounds as the operator allows; what it said stays', async () => {
    const question = models.question([(body) => ({ text: `Round ${body['messages'].length}.`, calls: [add(1, 1)] })]);
    const person = await aUser();
    const asked = { model: models.chat(), messages: [{ role: 'user', content: question }], tool_ids: [math] };
    const as = { token: person.token, url: host.url };
    expect(await call('POST /api/chat/completions', asked, as)).toMatchObject({
      status: 502,
      body: { detail: 'The model used tools more than 3 times' },
    });
    expect(models.asked(question)).toHaveLength(4);
    const { body } = await call('POST /api/chat/completions', { ...asked, stream: true }, as);
    expect(framesOf(body).slice(-2)).toMatchObject([
      { error: { message: expect.stringContaining('3 times') } },
      '[DONE]',
    ]);
    const reply = await aPendingReply(person);
    await call(
      'POST /api/chat/completions',
      { ...asked, chat_id: reply.chatId, id: reply.messageId, stream: true },
      as,
    );
    expect(await storedReply(reply, person)).toMatchObject({
      done: true,
      content: 'Round 1.\n\nRound 3.\n\nRound 5.\n\nRound 7.',
      error: { content: 'The model used tools more than 3 times' },
    });
  });
});

describe('the other formats', () => {
  test('messages: tool_ids are used, never shown to the model, and no call comes back', async () => {
    for (const stream of [false, true]) {
      const question = models.question([{ text: 'Hm.', calls: [add(3, 4)], usage: USAGE }, REPEAT]);
      const { token } = await aUser();
      const messages = [{ role: 'user', content: question }];
      const asked = { model: models.chat(), max_tokens: 50, messages, tool_ids: [math], stream };
      const { status, body } = await call('POST /api/v1/messages', asked, { token });
      expect(status).toBe(200);
      const text = stream
        ? [...String(body).matchAll(/"text_delta","text":("[^"]*")/g)].map(([, piece]) => JSON.parse(piece!)).join('')
        : body.content.map((block: { text: string }) => block.text).join('');
      expect(text).toBe('Hm.\n\nHeard: sum 7');
      expect(JSON.stringify(body)).not.toContain('tool_use');
      expect(JSON.stringify(body)).toContain('end_turn');
      expect(models.asked(question)[0]).not.toHaveProperty('tool_ids');
    }
  });

  test('responses: the same', async () => {
    const question = models.question([{ calls: [add(3, 4)] }, REPEAT]);
    const { token } = await aUser();
    const asked = { model: models.chat(), input: question, tool_ids: [math] };
    const { body } = await call('POST /api/v1/responses', asked, { token });
    expect(body.output.map((item: { type: string }) => item.type)).toEqual(['message']);
    expect(body.output[0].content[0].text).toBe('Heard: sum 7');
    expect(models.asked(question)[0]).not.toHaveProperty('tool_ids');
  });

  test('refuse what they do not carry out, in their own words', async () => {
    const { token } = await aUser();
    const asked = { model: models.chat(), max_tokens: 5, messages: [{ role: 'user', content: 'x' }] };
    const missing = await call('POST /api/v1/messages', { ...asked, tool_ids: ['nothing'] }, { token });
    expect(missing).toMatchObject({
      status: 404,
      body: { type: 'error', error: { message: expect.stringContaining('nothing') } },
    });
    const stored = await call('POST /api/v1/messages', { ...asked, chat_id: 'a', id: 'b' }, { token });
    expect(stored).toMatchObject({ status: 501, body: { type: 'error' } });
    const input = { model: models.chat(), input: 'x', files: [{ type: 'file', id: 'f' }] };
    expect((await call('POST /api/v1/responses', input, { token })).status).toBe(501);
  });
});
