import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AwsError } from '../../shared/aws/client.ts';
import { scheduler, sqs } from '../../shared/aws/services.ts';
import { queueVariable } from '../../shared/settings/names.ts';
import { call } from '../support/call.ts';
import { aUser, type Person } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { aPublishedWorkflow, deliveriesOf, eventually, triggers, type Row } from './published.ts';

async function aCron(fields: Record<string, unknown> = {}): Promise<{ user: Person; workflowId: string; cron: Row }> {
  const user = await aUser();
  const workflowId = await aPublishedWorkflow(user);
  const event_type = `cron_${randomUUID().replaceAll('-', '_')}`;
  const answer = await call(
    `POST ${triggers(workflowId)}/cron`,
    { name: 'Every morning', event_type, cron: '0 9 * * *', ...fields },
    user,
  );
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return { user, workflowId, cron: answer.body };
}

/** The schedule as the scheduler has it; undefined when it has none. */
const schedule = async (name: string): Promise<Row> => {
  try {
    return await scheduler<Row>('GET', `/schedules/${name}?groupName=atrium`);
  } catch (error) {
    if (error instanceof AwsError && error.code === 'ResourceNotFoundException') return undefined;
    throw error;
  }
};

/** What the scheduler would send at that time. */
const tick = async (triggerId: string, scheduledAt: number) => {
  const { Target } = await schedule(`${triggerId}-1`);
  const time = new Date(scheduledAt).toISOString().replace(/\.\d+Z$/, 'Z');
  const MessageBody = Target.Input.replaceAll('<aws.scheduler.scheduled-time>', time);
  await sqs('SendMessage', { QueueUrl: process.env[queueVariable('schedule')], MessageBody });
};

const eventsOf = async (user: Person, cron: Row): Promise<Row[]> =>
  (await call(`GET /api/v1/events?event_type=${cron.event_type}`, undefined, user)).body.data;

const oneEvent = (user: Person, cron: Row): Promise<Row> =>
  eventually(async () => (await eventsOf(user, cron))[0], 'the event of the schedule');

describe('a cron trigger', () => {
  verifies('runs/cron', 'is a schedule whose time publishes an event that starts the workflow', async () => {
    const { user, workflowId, cron } = await aCron({ input: { report: 'daily' }, timezone: 'Europe/Berlin' });
    expect(cron).toMatchObject({ type: 'cron', cron: '0 9 * * *', timezone: 'Europe/Berlin', overlap: 'parallel' });
    expect(cron.next_runs).toHaveLength(5);
    expect(cron.next_runs.every((time: number) => time > Date.now())).toBe(true);
    const made = await schedule(`${cron.id}-1`);
    expect(made).toMatchObject({
      ScheduleExpression: 'cron(0 9 * * ? *)',
      ScheduleExpressionTimezone: 'Europe/Berlin',
    });
    const soon = new Date(Date.now() + 1200).toISOString().slice(0, 19);
    await scheduler('PUT', `/schedules/${cron.id}-1`, {
      ...made,
      ScheduleExpression: `at(${soon})`,
      ScheduleExpressionTimezone: 'UTC',
      ActionAfterCompletion: 'DELETE',
    });
    const event = await oneEvent(user, cron);
    expect(event).toMatchObject({
      source: `cron:${cron.id}`,
      user_id: user.userId,
      payload: { scheduled_at: `${soon}.000Z`, input: { report: 'daily' } },
    });
    expect(await deliveriesOf(event.event_id, user.token)).toMatchObject([
      { workflow_id: workflowId, subscription_id: cron.id, outcome: 'started' },
    ]);
  });

  test('publishes a time once, however often it is told', async () => {
    const { user, cron } = await aCron();
    const time = cron.next_runs[0];
    await Promise.all([tick(cron.id, time), tick(cron.id, time), tick(cron.id, time)]);
    const event = await oneEvent(user, cron);
    await deliveriesOf(event.event_id, user.token);
    await tick(cron.id, cron.next_runs[1]);
    await eventually(async () => (await eventsOf(user, cron)).length === 2);
    expect(await eventsOf(user, cron)).toHaveLength(2);
  });

  test('runs a missed time late, or leaves it out and says so', async () => {
    const late = Date.now() - 3_600_000;
    for (const [missed, outcome] of [
      ['run_once', 'started'],
      ['skip', 'skipped_missed'],
    ] as const) {
      const { user, cron } = await aCron({ missed });
      await tick(cron.id, late);
      const event = await oneEvent(user, cron);
      expect(await deliveriesOf(event.event_id, user.token)).toMatchObject([{ outcome }]);
    }
  });

  test('a change reaches the schedule; what was meant before is not done after', async () => {
    const { user, workflowId, cron } = await aCron();
    const path = `${triggers(workflowId)}/${cron.id}`;
    const old = await schedule(`${cron.id}-1`);
    const changed = await call(
      `PATCH ${path}`,
      { cron: '30 8 13 * 5', timezone: 'America/New_York', overlap: 'skip' },
      user,
    );
    expect(changed.body).toMatchObject({ cron: '30 8 13 * 5', overlap: 'skip', concurrency: 'one_per_correlation' });
    expect((await schedule(`${cron.id}-1`)).ScheduleExpression).toBe('cron(30 8 13 * ? *)');
    expect((await schedule(`${cron.id}-2`)).ScheduleExpression).toBe('cron(30 8 ? * 6 *)');
    await scheduler('PUT', `/schedules/${cron.id}-1`, old);
    await tick(cron.id, cron.next_runs[0]);
    await eventually(
      async () => (await schedule(`${cron.id}-1`)).ScheduleExpression === 'cron(30 8 13 * ? *)',
      'the repair',
    );
    await tick(cron.id, changed.body.next_runs[0]);
    expect((await oneEvent(user, cron)).payload.scheduled_at).toBe(new Date(changed.body.next_runs[0]).toISOString());
    expect(await eventsOf(user, cron)).toHaveLength(1);
    await call(`PATCH ${path}`, { cron: '0 9 * * *' }, user);
    expect(await schedule(`${cron.id}-2`)).toBeUndefined();
    for (const wrong of [{ cron: '0 0 31 2 *' }, { cron: '* * * *' }, { timezone: 'Nowhere' }])
      expect((await call(`PATCH ${path}`, wrong, user)).status).toBe(422);
  });

  test('rests while paused and leaves nothing behind when it is deleted', async () => {
    const { user, workflowId, cron } = await aCron();
    const path = `${triggers(workflowId)}/${cron.id}`;
    expect((await call(`POST ${path}/pause`, undefined, user)).body).toMatchObject({ enabled: false, next_runs: [] });
    expect((await schedule(`${cron.id}-1`)).State).toBe('DISABLED');
    expect((await call(`POST ${path}/resume`, undefined, user)).body.next_runs).toHaveLength(5);
    expect((await schedule(`${cron.id}-1`)).State).toBe('ENABLED');
    expect((await call(`DELETE ${path}`, undefined, user)).status).toBe(204);
    expect(await schedule(`${cron.id}-1`)).toBeUndefined();
  });

  test('shows the next times of an expression before it is saved', async () => {
    const user = await aUser();
    const preview = (query: string) => call(`GET /api/v1/agent-workflows/cron/preview?${query}`, undefined, user);
    expect((await preview('cron=*/5+*+*+*+*&timezone=Asia/Tokyo')).body.next_runs).toHaveLength(10);
    expect((await preview('cron=61+*+*+*+*')).body.detail).toMatchObject([{ loc: ['query', 'cron'] }]);
  });
});
