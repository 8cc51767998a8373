import { createHmac, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openTable } from '../../shared/store/table.ts';
import { triggerKey } from '../../shared/workflow/keys.ts';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { aUser, type Person } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { aPublishedWorkflow, deliveriesOf, eventually, triggers, type Row } from './published.ts';

const aType = () => `hook_${randomUUID().replaceAll('-', '_')}`;

async function aHook(fields: Record<string, unknown> = {}): Promise<{ user: Person; workflowId: string; hook: Row }> {
  const user = await aUser();
  const workflowId = await aPublishedWorkflow(user);
  const answer = await call(
    `POST ${triggers(workflowId)}/webhook`,
    { name: 'Hook', event_type: aType(), ...fields },
    user,
  );
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return { user, workflowId, hook: answer.body };
}

const hmac = (secret: string | Buffer, text: string, encoding: 'hex' | 'base64' = 'hex') =>
  createHmac('sha256', secret).update(text).digest(encoding);
const seconds = () => Math.floor(Date.now() / 1000);

/** How each kind of sender signs. */
const SIGN: Record<string, (secret: string, body: string, at?: number, id?: string) => Record<string, string>> = {
  standard: (secret, body, at = seconds(), id = randomUUID()) => ({
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,bm90aGluZw== v1,${hmac(Buffer.from(secret.slice(6), 'base64'), `${id}.${at}.${body}`, 'base64')}`,
  }),
  github: (secret, body, _at, id = randomUUID()) => ({
    'x-hub-signature-256': `sha256=${hmac(secret, body)}`,
    'x-github-delivery': id,
    'x-github-event': 'push',
  }),
  stripe: (secret, body, at = seconds()) => ({
    'stripe-signature': `t=${at},v1=${'0'.repeat(64)},v1=${hmac(secret, `${at}.${body}`)},v0=old`,
  }),
  slack: (secret, body, at = seconds()) => ({
    'x-slack-request-timestamp': String(at),
    'x-slack-signature': `v0=${hmac(secret, `v0:${at}:${body}`)}`,
  }),
  token: (secret) => ({ 'x-webhook-token': secret }),
  bearer: (secret) => ({ authorization: `Bearer ${secret}` }),
};

const send = (hook: Row, body: string, headers: Record<string, string>, method = 'POST') =>
  call(`${method} /api/v1/webhooks/${hook.hook_id}`, body, {
    headers: { 'content-type': 'application/json', ...headers },
  });

describe('a webhook', () => {
  verifies(
    ['events/publish-webhook', 'runs/webhook'],
    'publishes what is posted to it and starts its own workflow and every other subscriber',
    async () => {
      const { user, workflowId, hook } = await aHook();
      expect(hook).toMatchObject({
        type: 'webhook',
        url: `${host.url}/api/v1/webhooks/${hook.hook_id}`,
        secret: expect.stringMatching(/^whsec_/),
        style: 'standard',
      });
      const other = await aPublishedWorkflow(user);
      await call(`POST ${triggers(other)}/event`, { name: 'Other', event_type: hook.event_type }, user);
      const body = JSON.stringify({ id: 12345678901234567890n.toString(), amount: 5 });
      const answer = await send(hook, body, SIGN['standard']!(hook.secret, body));
      expect(answer).toMatchObject({ status: 202, body: { event_id: expect.any(String), duplicate: false } });
      const deliveries = await deliveriesOf(answer.body.event_id, user.token);
      expect(Object.fromEntries(deliveries.map((one) => [one.workflow_id, one.outcome]))).toEqual({
        [workflowId]: 'started',
        [other]: 'started',
      });
      const event = await call(`GET /api/v1/events/${answer.body.event_id}`, undefined, user);
      expect(event.body).toMatchObject({
        source: `webhook:${hook.hook_id}`,
        event_type: hook.event_type,
        user_id: user.userId,
        correlation_id: answer.body.event_id,
        payload: JSON.parse(body),
      });
    },
  );

  test.each(Object.keys(SIGN))('of style %s takes what its secret signed, and nothing else', async (style) => {
    const { user, workflowId, hook } = await aHook({ style });
    const body = JSON.stringify({ text: 'ü', n: 1 });
    const sign = SIGN[style]!;
    expect((await send(hook, body, sign(hook.secret, body))).status).toBe(202);
    const wrong = [
      await send(hook, body, {}),
      await send(hook, body, sign(`${hook.secret}x`.replace('whsec_', 'whsec_AAAA'), body)),
      await send({ hook_id: randomUUID() }, body, sign(hook.secret, body)),
    ];
    expect(wrong.map(({ status }) => status)).toEqual([401, 401, 404]);
    const isSigned = style !== 'token' && style !== 'bearer';
    if (isSigned) expect((await send(hook, `${body} `, sign(hook.secret, body))).status).toBe(401);
    if (isSigned && style !== 'github') {
      for (const off of [-301, 301])
        expect((await send(hook, body, sign(hook.secret, body, seconds() + off))).status).toBe(401);
      expect((await send(hook, body, sign(hook.secret, body, seconds() - 280))).status).toBe(202);
    }
    const shown = await call(`GET ${triggers(workflowId)}/${hook.id}`, undefined, user);
    expect(shown.body.last_refusal).toEqual({ at: expect.any(Number), reason: expect.any(String) });
    expect(shown.body.secret).toBeUndefined();
  });

  test('keeps its secret where nobody can read it', async () => {
    for (const style of ['standard', 'bearer']) {
      const { user, workflowId, hook } = await aHook({ style });
      const row = await openTable('workflows').get(triggerKey(`user:${user.userId}`, workflowId, hook.id));
      expect(JSON.stringify(row)).not.toContain(hook.secret);
      expect(JSON.stringify(row)).not.toContain(hook.secret.slice(6));
    }
    const given = await aHook({ style: 'stripe', secret: 'whsec_from_the_provider' });
    expect(given.hook.secret).toBeUndefined();
    expect(given.hook.secret_hint).toBe('…ider');
    const body = '{"id":"evt_1"}';
    expect((await send(given.hook, body, SIGN['stripe']!('whsec_from_the_provider', body))).status).toBe(202);
  });

  test('the same delivery again is the same event, also at the same time', async () => {
    const senders: [style: string, body: string, id?: string][] = [
      ['standard', '{"n":1}', 'msg_1'],
      ['github', '{"n":1}', 'guid-1'],
      ['stripe', '{"id":"evt_77","pending_webhooks":1}'],
      ['slack', '{"event_id":"Ev1","type":"event_callback"}'],
    ];
    for (const [style, body, id] of senders) {
      const { user, workflowId, hook } = await aHook({ style });
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => send(hook, body, SIGN[style]!(hook.secret, body, undefined, id))),
      );
      expect(new Set(answers.map((answer) => answer.body.event_id)).size).toBe(1);
      expect(answers.filter((answer) => !answer.body.duplicate)).toHaveLength(1);
      const changed = body.replace(':1', ':2');
      const again = await send(hook, changed, SIGN[style]!(hook.secret, changed, undefined, id));
      expect(again).toMatchObject({ status: 202, body: { duplicate: true, event_id: answers[0]!.body.event_id } });
      expect(await deliveriesOf(answers[0]!.body.event_id, user.token)).toHaveLength(1);
      const requests = await call(`GET ${triggers(workflowId)}/${hook.id}/requests`, undefined, user);
      const outcomes = requests.body.data.map((one: Row) => one.outcome);
      expect(outcomes.filter((one: string) => one === 'accepted').length).toBeGreaterThanOrEqual(1);
      expect(JSON.stringify(requests.body)).not.toMatch(/signature/);
    }
  });

  test('a rotated secret leaves the old one valid for a day, unless it must go at once', async () => {
    const { user, workflowId, hook } = await aHook();
    const path = `POST ${triggers(workflowId)}/${hook.id}/rotate-secret`;
    const rotated = await call(path, {}, user);
    expect(rotated.body.previous_until).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    const body = '{}';
    for (const secret of [hook.secret, rotated.body.secret])
      expect((await send(hook, body, SIGN['standard']!(secret, body))).status).toBe(202);
    const table = openTable('workflows');
    const key = triggerKey(`user:${user.userId}`, workflowId, hook.id);
    await table.update(key, { set: { previous_until: Date.now() - 1 } });
    expect((await send(hook, body, SIGN['standard']!(hook.secret, body))).status).toBe(401);
    expect((await send(hook, body, SIGN['standard']!(rotated.body.secret, body))).status).toBe(202);
    const leaked = await call(path, { keep_old: false }, user);
    expect(leaked.body.previous_until).toBeNull();
    expect((await send(hook, body, SIGN['standard']!(rotated.body.secret, body))).status).toBe(401);
    expect((await send(hook, body, SIGN['standard']!(leaked.body.secret, body))).status).toBe(202);
    const event = await call(`POST ${triggers(workflowId)}/event`, { name: 'e', event_type: 'x' }, user);
    expect((await call(`POST ${triggers(workflowId)}/${event.body.id}/rotate-secret`, {}, user)).status).toBe(409);
  });

  test('reads JSON, forms and text, and refuses the rest', async () => {
    const { user, hook } = await aHook({ style: 'token' });
    const token = { 'x-webhook-token': hook.secret };
    const payloads: [type: string, body: string, payload: unknown][] = [
      ['application/vnd.api+json', '[1,2]', [1, 2]],
      ['application/x-www-form-urlencoded', 'a=1&b=%C3%BC', { a: '1', b: 'ü' }],
      ['application/x-www-form-urlencoded', `payload=${encodeURIComponent('{"x":true}')}`, { x: true }],
      ['text/plain; charset=utf-8', 'hello', 'hello'],
      ['application/json', '', null],
    ];
    for (const [type, body, payload] of payloads) {
      const answer = await send(hook, body, { ...token, 'content-type': type });
      const event = await call(`GET /api/v1/events/${answer.body.event_id}`, undefined, user);
      expect(event.body.payload).toEqual(payload);
    }
    expect((await send(hook, '{', token)).status).toBe(422);
    expect((await send(hook, 'x', { ...token, 'content-type': 'image/png' })).status).toBe(415);
    expect((await send(hook, `"${'x'.repeat(1_048_600)}"`, token)).status).toBe(413);
    expect((await send(hook, '{}', token, 'PUT')).status).toBe(202);
  });

  test('maps headers and body to payload, correlation and reply by expressions', async () => {
    const { user, workflowId, hook } = await aHook({
      style: 'github',
      payload_expr: '{"kind": headers["x-github-event"], "repo": body["repo"], "page": query.get("page")}',
      correlation_expr: 'f"repo-{payload[\'repo\']}"',
      filter_expr: 'payload["kind"] == "push"',
      reply: { status: 200, body: '{{ {"ok": True, "event": event["event_id"], "repo": payload["repo"]} }}' },
    });
    const body = '{"repo":7}';
    const answer = await call(`POST /api/v1/webhooks/${hook.hook_id}?page=2`, body, {
      headers: { 'content-type': 'application/json', ...SIGN['github']!(hook.secret, body) },
    });
    expect(answer).toMatchObject({ status: 200, body: { ok: true, repo: 7 } });
    const event = await call(`GET /api/v1/events/${answer.body.event}`, undefined, user);
    expect(event.body).toMatchObject({
      payload: { kind: 'push', repo: 7, page: '2' },
      correlation_id: 'repo-7',
    });
    const broken = '{"other":1}';
    const refused = await send(hook, broken, SIGN['github']!(hook.secret, broken));
    expect(refused).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['payload_expr'], msg: "KeyError: 'repo'" }] },
    });
    const requests = await call(`GET ${triggers(workflowId)}/${hook.id}/requests`, undefined, user);
    expect(requests.body.data.map((one: Row) => one.outcome)).toEqual(['failed', 'accepted']);
    for (const wrong of [
      { payload_expr: 'nothing["x"]' },
      { correlation_expr: 'body["x"' },
      { reply: { body: '{{ payload[ }}' } },
      { reply: { body: '{{ secret }}' } },
      { reply: { body: 'x', content_type: 'text/html' } },
    ])
      expect((await call(`PATCH ${triggers(workflowId)}/${hook.id}`, wrong, user)).status).toBe(422);
  });

  test('answers a challenge', async () => {
    const { hook } = await aHook({
      style: 'slack',
      reply: { content_type: 'text/plain', body: '{{ payload.get("challenge", "ok") }}' },
    });
    const body = '{"type":"url_verification","challenge":"c-123"}';
    expect((await send(hook, body, SIGN['slack']!(hook.secret, body))).body).toBe('c-123');
  });

  test('is gone when it or its workflow is deleted, and starts nothing while paused', async () => {
    const { user, workflowId, hook } = await aHook({ style: 'bearer' });
    const auth = { authorization: `Bearer ${hook.secret}` };
    await call(`POST ${triggers(workflowId)}/${hook.id}/pause`, undefined, user);
    const paused = await send(hook, '{}', auth);
    expect(await deliveriesOf(paused.body.event_id, user.token)).toMatchObject([{ outcome: 'paused' }]);
    expect((await call(`DELETE ${triggers(workflowId)}/${hook.id}`, undefined, user)).status).toBe(204);
    expect((await send(hook, '{}', auth)).status).toBe(404);
    const second = await aHook({ style: 'bearer' });
    await call(`DELETE /api/v1/agent-workflows/${second.workflowId}`, undefined, second.user);
    await eventually(async () => {
      const answer = await send(second.hook, '{}', { authorization: `Bearer ${second.hook.secret}` });
      return answer.status === 404;
    }, 'the end of the webhook');
  });
});
