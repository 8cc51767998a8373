import { describe, expect, test } from 'vitest';
import { askChat, askTurn } from '../../shared/completion/ask.ts';
import { CompletionRequest, refuseExtensions } from '../../shared/completion/own-fields.ts';
import type { Address, Target } from '../../shared/completion/target.ts';
import { decodeMessagesRequest } from '../../shared/llm/messages/request.ts';
import { UPSTREAM_FORMATS } from '../../shared/llm/upstream-formats.ts';
import type { Fields } from '../../shared/llm/turn.ts';
import type { Millis } from '../../shared/time.ts';

const server = (format: Address['format'] = 'chat', model = 'm'): Address => ({
  kind: 'server',
  format,
  model,
  baseUrl: 'http://models',
  headers: {},
  trusted: true,
});
const target = (params: Fields = {}, via: Target['via'] = server()): Target => ({
  id: 'm',
  isLocal: false,
  params,
  via,
});
const author = { name: 'Ada', email: 'ada@example.test', groups: [] };
const now = Date.UTC(2026, 10, 15, 12, 30, 5) as Millis;
const user = [{ role: 'user', content: 'Hi' }];

/** What reaches the model server. */
function asked(body: Fields, around: Fields & { target?: Target } = {}) {
  const text = JSON.stringify(body);
  const ask = askChat(CompletionRequest.parse(body), { target: target(), author, now, ...around }, text);
  return {
    ask,
    sent: JSON.parse(ask.chatText ?? JSON.stringify(UPSTREAM_FORMATS.chat.encodeRequest(ask.turn()))) as Fields,
    text,
  };
}

describe('a chat completion', () => {
  test('that needs no change is passed on letter for letter', () => {
    const body = { model: 'm', messages: user, seed: 1, unknown: { deep: [1, null] } };
    const { ask, text } = asked(body);
    expect(ask.chatText).toBe(text);
  });

  test('loses the fields that only steer the gateway', () => {
    const own = {
      chat_id: 'c',
      id: 'i',
      session_id: 's',
      background_tasks: {},
      variables: {},
      params: {},
      features: {},
    };
    const { sent } = asked({ model: 'm', messages: user, top_k: 4, ...own, tool_ids: [], filter_ids: [], files: [] });
    expect(sent).toEqual({ model: 'm', messages: user, top_k: 4 });
  });

  test('carries the name by which the server knows the model', () => {
    const { sent } = asked({ model: 'p.m', messages: user }, { target: target({}, server('chat', 'm')) });
    expect(sent.model).toBe('m');
  });

  test.each([
    '{"model":"m","messages":[],"model":"other"}',
    '{"mod\\u0065l":"other","model":"m","messages":[]}',
    '{"model":"m","messages":[],"Model":"other"}',
  ])('cannot smuggle in another model: %s', (text) => {
    const body = CompletionRequest.parse({ ...JSON.parse(text), model: 'm' });
    const { chatText = '' } = askChat(body, { target: target(), author, now }, text);
    expect(chatText).not.toContain('other');
  });

  test('fills placeholders in system text only, the values of the caller first', () => {
    const messages = [
      { role: 'system', content: 'For {{USER_NAME}} in {{USER_LANGUAGE}} at {{CURRENT_DATETIME}}, {{USER_EMAIL}}' },
      { role: 'user', content: 'What is {{USER_NAME}}?' },
    ];
    const variables = { '{{USER_LANGUAGE}}': 'de', '{{CURRENT_DATETIME}}': 'noon $& today' };
    expect(asked({ model: 'm', messages, variables }, { variables }).sent.messages).toEqual([
      { role: 'system', content: 'For Ada in de at noon $& today, ada@example.test' },
      messages[1],
    ]);
    expect(asked({ model: 'm', messages }).sent.messages).toMatchObject([
      { content: 'For Ada in Unknown at 2026-11-15 12:30:05, ada@example.test' },
      messages[1],
    ]);
  });

  test('gets the prompts of model, folder and settings before its own', () => {
    const { sent } = asked(
      { model: 'm', messages: [{ role: 'system', content: 'own' }, ...user] },
      { target: target({ system: 'model' }), folderPrompt: 'folder', params: { system: 'settings' } },
    );
    expect(sent.messages).toEqual([{ role: 'system', content: 'model\nfolder\nsettings\nown' }, ...user]);
  });

  test('wins over its params, and those over the settings of the model', () => {
    const { sent } = asked(
      { model: 'm', messages: user, temperature: 0.1 },
      {
        target: target({ temperature: 0.9, top_p: 0.9, seed: 9, custom_params: { deep: '{"a":1,"b":1}', plain: 'x' } }),
        params: { temperature: 0.5, top_p: 0.5, custom_params: { deep: { b: 2 } }, logit_bias: '5:-1, 6:2' },
      },
    );
    expect(sent).toMatchObject({
      temperature: 0.1,
      top_p: 0.5,
      seed: 9,
      deep: { a: 1, b: 2 },
      plain: 'x',
      logit_bias: { 5: -1, 6: 2 },
    });
    expect(sent).not.toHaveProperty('custom_params');
  });

  test('is streamed, or not, as its model insists', () => {
    const { ask, sent } = asked(
      { model: 'm', messages: user, stream: true },
      { target: target({ stream_response: false }) },
    );
    expect(ask.isStreamed).toBe(false);
    expect(ask.chatText).toBeUndefined();
    expect(sent).not.toHaveProperty('stream_response');
  });

  test('with a setting of the wrong kind is refused by name', () => {
    const bad = () => asked({ model: 'm', messages: user }, { params: { temperature: 'warm' } }).sent;
    expect(bad).toThrow(
      expect.objectContaining({ code: 'validation_failed', message: expect.stringContaining('params.temperature') }),
    );
  });
});

test('a turn of another format gets the same settings and prompts', () => {
  const turn = decodeMessagesRequest({ model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] });
  const ask = askTurn(turn, { target: target({ system: 'Be brief', temperature: 0.3, max_tokens: 99 }), author, now });
  expect(UPSTREAM_FORMATS.messages.encodeRequest(ask.turn())).toMatchObject({
    system: 'Be brief',
    temperature: 0.3,
    max_tokens: 5,
  });
});

describe('what nobody here carries out', () => {
  const refused = (body: Fields) => () => refuseExtensions(body, new Set());

  test.each([
    ['tool_ids', ['t']],
    ['filter_ids', ['f']],
    ['features', { web_search: true }],
    ['files', [{ type: 'file', id: 'x' }]],
    ['tool_servers', [{}]],
    ['skill_ids', ['s']],
  ])('%s is refused by name', (name, value) => {
    expect(refused({ [name]: value })).toThrow(
      expect.objectContaining({ code: 'not_available', status: 501, facts: { param: name } }),
    );
  });

  test('is not refused when it asks for nothing, or when the caller brings tools along', () => {
    const nothing = { tool_ids: [], filter_ids: null, features: { web_search: false, memory: null }, files: [] };
    expect(refused(nothing)).not.toThrow();
    expect(refused({ tool_ids: ['t'], tools: [] })).not.toThrow();
    expect(refused({ tool_ids: ['t'], tools: [], files: [{}] })).toThrow('files');
    expect(() => refuseExtensions({ files: [{}] }, new Set(['files'] as const))).not.toThrow();
  });
});
