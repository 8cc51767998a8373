import { describe, expect, test } from 'vitest';
import path from 'node:path';
import { openMailbox } from '../../infra/local/mailbox.ts';
import { call } from '../support/call.ts';
import { host } from '../support/host.ts';
import { aUser, type Person } from '../support/people.ts';
import { as, aPublishedWorkflow, aTeam, edge, node } from '../workflows/making.ts';
import { ended, getRun, startRun, stepsOf, until } from './running.ts';

const askGraph = (config: object = {}) => ({
  nodes: [node('start', 'start'), node('ask', 'human'), node('yes', 'end'), node('no', 'end')],
  edges: [edge('start', 'ask'), edge('ask', 'yes', 'approve'), edge('ask', 'no', 'reject')],
  configs: {
    ask: { title: 'Pay {{ input["amount"] }}?', message: 'Please decide.', ...config },
    yes: { output: '["paid", nodes.ask.output["values"], nodes.ask.output["by"]["name"]]' },
    no: { output: '"refused"' },
  },
});

async function asked(person: Person, config: object = {}) {
  const { id } = await aPublishedWorkflow(person, askGraph(config));
  const run = await startRun(person, id, { input: { amount: 50 } });
  await until(
    () => getRun(person, run),
    ({ status }) => status === 'waiting',
  );
  return { run, task: `/${id}/runs/${run.run_id}/steps/ask` };
}

describe('a person is asked', () => {
  test('the run waits, the task is listed, and the answer goes on', async () => {
    const person = await aUser();
    const { run, task } = await asked(person);
    const { body: tasks } = await as(person).call('GET /tasks');
    expect(tasks.data).toMatchObject([
      { run_id: run.run_id, step_id: 'ask', title: 'Pay 50?', actions: [{ id: 'approve' }, { id: 'reject' }] },
    ]);
    const answer = await as(person).call(`POST ${task}/respond`, { action: 'approve', values: { note: 'fine' } });
    expect(answer).toMatchObject({
      status: 200,
      body: { answer: { action: 'approve', by: { user_id: person.userId } } },
    });
    expect(await ended(person, run)).toMatchObject({
      status: 'succeeded',
      output: ['paid', { note: 'fine' }, person.name],
    });
    expect((await stepsOf(person, run))['no'].status).toBe('skipped');
    expect((await as(person).call('GET /tasks')).body.data).toEqual([]);
  });

  test('of many answers at the same moment exactly one counts', async () => {
    const person = await aUser();
    const { run, task } = await asked(person);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        as(person).call(`POST ${task}/respond`, { action: at % 2 ? 'approve' : 'reject' }),
      ),
    );
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    const over = await ended(person, run);
    expect(over.output === 'refused').toBe(accepted[0]?.body.answer.action === 'reject');
    expect((await as(person).call(`POST ${task}/respond`, { action: 'approve' })).status).toBe(409);
  });

  test('actions and values that were not asked for are refused and leave the task open', async () => {
    const person = await aUser();
    const form_schema = {
      type: 'object',
      properties: { reason: { type: 'string', minLength: 3 } },
      required: ['reason'],
    };
    const { run, task } = await asked(person, { form_schema });
    for (const body of [{ action: 'explode' }, { action: 'approve' }, { action: 'approve', values: { reason: 'x' } }]) {
      expect((await as(person).call(`POST ${task}/respond`, body)).status).toBe(422);
    }
    expect((await getRun(person, run)).status).toBe('waiting');
    expect(
      (await as(person).call(`POST ${task}/respond`, { action: 'reject', values: { reason: 'too much' } })).status,
    ).toBe(200);
    expect((await ended(person, run)).output).toBe('refused');
  });

  test('a one-time link answers once, without an account', async () => {
    const person = await aUser();
    const { run, task } = await asked(person);
    const { body: link } = await as(person).call(`POST ${task}/link`);
    const target = new URL(link.url).pathname.replace(/\/page$/, '');
    const shown = await call(`GET ${target}`);
    expect(shown).toMatchObject({ status: 200, body: { title: 'Pay 50?' } });
    expect(shown.body).not.toHaveProperty('assignees');
    const both = await Promise.all([1, 2].map(() => call(`POST ${target}`, { action: 'approve', values: {} })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)[0]).toBe(200);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await ended(person, run)).output).toEqual(['paid', {}, 'One-time link']);
    expect((await call(`GET ${target}`)).status).toBe(404);
    expect((await call('GET /api/public/workflow-tasks/nonsense')).status).toBe(404);
  });

  test('assignees get a mail whose link leads to a form that answers once', async () => {
    const { orgId, member } = await aTeam();
    const boss = await aUser({ orgId });
    const form_schema = {
      type: 'object',
      properties: {
        amount: { type: 'integer', title: 'Amount' },
        urgent: { type: 'boolean' },
        why: { enum: ['food', 'rent'] },
      },
      required: ['amount', 'why'],
    };
    const graph = askGraph({ assignees: [boss.userId], form_schema, message: '<b>5 < 6</b>' });
    const { id } = (await as(member).call('POST /', { name: 'x', graph })).body;
    const run = (await as(member).call(`POST /${id}/runs`, { version: 'draft', input: { amount: 1 } })).body;
    const mail = await until(
      async () => openMailbox(path.join(host.dataDir, 'mail')).list(boss.email)[0],
      (one) => one !== undefined,
    );
    const link = new URL(/http\S+workflow-tasks\S+/.exec(mail?.text ?? '')?.[0] ?? '').pathname;
    const page = await call(`GET ${link}`);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.body).toContain('&lt;b&gt;5 &lt; 6&lt;/b&gt;');
    expect(page.body).toContain('name="values.amount"');
    const form = (fields: Record<string, string>) =>
      call(`POST ${link}`, new URLSearchParams(fields).toString(), {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    expect((await form({ action: 'approve', 'values.amount': 'many', 'values.why': 'food' })).status).toBe(422);
    expect((await form({ action: 'approve', 'values.amount': '7', 'values.why': 'rent' })).status).toBe(200);
    expect((await form({ action: 'reject', 'values.amount': '7', 'values.why': 'rent' })).status).toBe(404);
    const over = await ended(member, run);
    expect(over.output).toEqual(['paid', { amount: 7, urgent: false, why: 'rent' }, 'One-time link']);
  });

  test('a task for somebody else may not be answered, and is not in the own list', async () => {
    const { orgId, member } = await aTeam();
    const other = await aUser({ orgId });
    const personal = await aUser({ orgId });
    const { id } = (await as(member).call('POST /', { name: 'x', graph: askGraph({ assignees: [other.userId] }) }))
      .body;
    const run = (await as(member).call(`POST /${id}/runs`, { version: 'draft', input: { amount: 1 } })).body;
    await until(
      () => getRun(member, run),
      ({ status }) => status === 'waiting',
    );
    const target = `/${id}/runs/${run.run_id}/steps/ask/respond`;
    expect((await as(personal).call(`POST ${target}`, { action: 'approve' })).status).toBe(403);
    expect((await as(personal).call('GET /tasks')).body.data).toEqual([]);
    expect((await as(other).call('GET /tasks')).body.data).toHaveLength(1);
    expect((await as(other).call(`POST ${target}`, { action: 'approve' })).status).toBe(200);
  });

  test('a waiting run can be cancelled', async () => {
    const person = await aUser();
    const { run, task } = await asked(person);
    await as(person).call(`POST /${run.workflow_id}/runs/${run.run_id}/cancel`);
    expect(await ended(person, run)).toMatchObject({ status: 'cancelled' });
    expect((await as(person).call(`POST ${task}/respond`, { action: 'approve' })).status).toBe(409);
    expect((await as(person).call('GET /tasks')).body.data).toEqual([]);
  });

  test('patience ends: the task fails or counts as the action that was chosen for that', async () => {
    const person = await aUser();
    const { run: failing } = await asked(person, { timeout_s: 1 });
    const { run: deciding } = await asked(person, { timeout_s: 1, on_timeout: 'reject' });
    expect(await ended(person, failing)).toMatchObject({ status: 'failed', error: { code: 'human_timeout' } });
    expect(await ended(person, deciding)).toMatchObject({ status: 'succeeded', output: 'refused' });
  });
});
