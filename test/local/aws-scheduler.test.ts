import {
  ConflictException,
  CreateScheduleCommand,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ListSchedulesCommand,
  ResourceNotFoundException,
  SchedulerClient,
  UpdateScheduleCommand,
  ValidationException,
  type CreateScheduleCommandInput,
} from '@aws-sdk/client-scheduler';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startAwsHost, type AwsHost, type AwsHostOptions } from '../../infra/local/aws/host.ts';
import { configureLog } from '../../shared/log.ts';
import { parseExpression } from '../../infra/local/aws/schedules/expression.ts';

// Failing functions are part of these tests.
configureLog({ write: () => {} });

const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:jobs';
const RoleArn = 'arn:aws:iam::000000000000:role/scheduler';
const START = Date.parse('2026-03-01T12:00:00Z');
let now = START;
const open: AwsHost[] = [];
const clients: SchedulerClient[] = [];

beforeEach(() => {
  now = START;
});
afterAll(async () => {
  for (const client of clients) client.destroy();
  for (const host of open) await host.stop();
});

const start = async (options: Partial<AwsHostOptions> = {}) => {
  const host = await startAwsHost({ dataDir: undefined, now: () => now, queues: [{ name: 'jobs' }], ...options });
  const client = new SchedulerClient({
    endpoint: host.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  open.push(host);
  clients.push(client);
  return { host, client };
};

const input = (Name: string, ScheduleExpression: string, more: Partial<CreateScheduleCommandInput> = {}) => ({
  Name,
  ScheduleExpression,
  FlexibleTimeWindow: { Mode: 'OFF' as const },
  Target: { Arn: QUEUE, RoleArn, Input: '{"at":"<aws.scheduler.scheduled-time>"}' },
  ...more,
});

const passTo = (host: AwsHost, iso: string) => {
  now = Date.parse(iso);
  host.tick();
};

const drain = async (host: AwsHost, queue = 'jobs') => {
  const messages = await host.queue(queue).receive({ max: 100 });
  for (const { receipt } of messages) host.queue(queue).delete(receipt);
  return messages.map(({ body }) => body);
};

describe('firing', () => {
  test('a one-time schedule fires once, at its time in its zone', async () => {
    const { host, client } = await start();
    await client.send(
      new CreateScheduleCommand(
        input('once', 'at(2026-03-01T14:00:00)', { ScheduleExpressionTimezone: 'Europe/Berlin' }),
      ),
    );
    passTo(host, '2026-03-01T12:59:59Z');
    expect(await drain(host)).toEqual([]);
    passTo(host, '2026-03-01T13:00:00Z');
    expect(await drain(host)).toEqual(['{"at":"2026-03-01T13:00:00Z"}']);
    passTo(host, '2026-03-05T13:00:00Z');
    expect(await drain(host)).toEqual([]);
  });

  test('a rate fires at once and then at every interval', async () => {
    const { host, client } = await start();
    await client.send(new CreateScheduleCommand(input('often', 'rate(5 minutes)')));
    for (const time of ['12:00:00', '12:04:59', '12:05:00', '12:10:01']) passTo(host, `2026-03-01T${time}Z`);
    expect(await drain(host)).toEqual(
      ['12:00:00', '12:05:00', '12:10:00'].map((time) => `{"at":"2026-03-01T${time}Z"}`),
    );
  });

  test('a start and an end bound the runs', async () => {
    const { host, client } = await start();
    const bounds = { StartDate: new Date('2026-03-01T13:00:00Z'), EndDate: new Date('2026-03-01T13:10:00Z') };
    await client.send(new CreateScheduleCommand(input('bounded', 'rate(10 minutes)', bounds)));
    for (const time of ['12:30', '13:00', '13:10', '13:20']) passTo(host, `2026-03-01T${time}:00Z`);
    expect(await drain(host)).toEqual(['13:00', '13:10'].map((time) => `{"at":"2026-03-01T${time}:00Z"}`));
  });

  test('without a clock of its own the host fires by the real one', async () => {
    const { host, client } = await start({ now: Date.now });
    const at = new Date(Date.now() + 1000).toISOString().slice(0, 19);
    await client.send(new CreateScheduleCommand(input('soon', `at(${at})`)));
    const [message] = await host.queue('jobs').receive({ max: 1, wait: 5 });
    expect(message?.body).toBe(`{"at":"${at}Z"}`);
  });

  test('a disabled schedule does not fire until it is enabled', async () => {
    const { host, client } = await start();
    const daily = input('daily', 'cron(0 13 * * ? *)');
    await client.send(new CreateScheduleCommand({ ...daily, State: 'DISABLED' }));
    passTo(host, '2026-03-01T13:00:00Z');
    expect(await drain(host)).toEqual([]);
    await client.send(new UpdateScheduleCommand({ ...daily, State: 'ENABLED' }));
    passTo(host, '2026-03-02T13:00:00Z');
    expect(await drain(host)).toHaveLength(1);
  });

  test('a schedule that asks for it is deleted after its last run', async () => {
    const { host, client } = await start();
    await client.send(
      new CreateScheduleCommand(input('bye', 'at(2026-03-01T12:01:00)', { ActionAfterCompletion: 'DELETE' })),
    );
    passTo(host, '2026-03-01T12:01:00Z');
    expect(await drain(host)).toHaveLength(1);
    await expect(client.send(new GetScheduleCommand({ Name: 'bye' }))).rejects.toBeInstanceOf(
      ResourceNotFoundException,
    );
  });

  test('a function target is invoked with the parsed input, and tried again when it fails', async () => {
    const calls: unknown[] = [];
    const invoke = async (name: string, event: unknown) => {
      calls.push([name, event]);
      if (calls.length === 1) throw new Error('first try fails');
    };
    const { host, client } = await start({ deliver: { invoke } });
    const Target = { Arn: 'arn:aws:lambda:us-east-1:000000000000:function:sweep', RoleArn, Input: '{"n":1}' };
    await client.send(new CreateScheduleCommand(input('fn', 'at(2026-03-01T12:01:00)', { Target })));
    passTo(host, '2026-03-01T12:01:00Z');
    await expect.poll(() => calls.length).toBe(1);
    await expect.poll(() => host.queues.counts('_invocations').inFlight).toBe(1);
    passTo(host, '2026-03-01T12:02:00Z');
    await expect.poll(() => host.queues.counts('_invocations')).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
    expect(calls).toEqual([
      ['sweep', { n: 1 }],
      ['sweep', { n: 1 }],
    ]);
  });

  test('a function that keeps failing leaves its event in the dead-letter queue', async () => {
    const invoke = async () => {
      throw new Error('always fails');
    };
    const { host, client } = await start({ deliver: { invoke }, queues: [{ name: 'dead' }] });
    const Target = {
      Arn: 'arn:aws:lambda:us-east-1:000000000000:function:sweep',
      RoleArn,
      Input: '{"n":1}',
      DeadLetterConfig: { Arn: 'arn:aws:sqs:us-east-1:000000000000:dead' },
    };
    await client.send(new CreateScheduleCommand(input('fn', 'at(2026-03-01T12:01:00)', { Target })));
    await expect
      .poll(async () => {
        now += 60_000;
        host.tick();
        return drain(host, 'dead');
      })
      .toEqual(['{"n":1}']);
  });

  test('without an input the target gets the default event', async () => {
    const { host, client } = await start();
    const { ScheduleArn } = await client.send(
      new CreateScheduleCommand(input('plain', 'at(2026-03-01T12:01:00)', { Target: { Arn: QUEUE, RoleArn } })),
    );
    passTo(host, '2026-03-01T12:01:00Z');
    const [body] = await drain(host);
    expect(JSON.parse(body ?? '')).toMatchObject({
      source: 'aws.scheduler',
      'detail-type': 'Scheduled Event',
      resources: [ScheduleArn],
    });
  });
});

describe('restart', () => {
  test('a run missed while the host was down happens once after it, and nothing happens twice', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'aws-scheduler-'));
    const schedules = [
      {
        Name: 'hourly',
        ScheduleExpression: 'rate(1 hour)',
        FlexibleTimeWindow: { Mode: 'OFF' as const },
        Target: { Arn: QUEUE, RoleArn, Input: '{"at":"<aws.scheduler.scheduled-time>"}' },
      },
    ];
    const first = await start({ dataDir, schedules });
    await first.client.send(new CreateScheduleCommand(input('missed', 'at(2026-03-01T12:30:00)')));
    await first.client.send(new CreateScheduleCommand(input('done', 'at(2026-03-01T12:00:10)')));
    passTo(first.host, '2026-03-01T12:00:10Z');
    expect(await drain(first.host)).toHaveLength(2);
    await first.host.stop();
    now = Date.parse('2026-03-01T15:30:00Z');
    const second = await start({ dataDir, schedules });
    second.host.tick();
    expect((await drain(second.host)).toSorted()).toEqual(
      ['12:30', '13:00'].map((time) => `{"at":"2026-03-01T${time}:00Z"}`),
    );
    passTo(second.host, '2026-03-01T16:00:00Z');
    expect(await drain(second.host)).toEqual(['{"at":"2026-03-01T16:00:00Z"}']);
    await second.host.stop();
    const third = await start({ dataDir, schedules: [] });
    const { Schedules } = await third.client.send(new ListSchedulesCommand({}));
    expect(Schedules?.map(({ Name }) => Name)).toEqual(['done', 'missed']);
    await third.host.stop();
    await rm(dataDir, { recursive: true });
  });
});

describe('definitions', () => {
  test('a schedule is created, read, changed, listed and deleted', async () => {
    const { client } = await start({ scheduleGroups: ['tenant'] });
    const created = await client.send(
      new CreateScheduleCommand(input('one', 'rate(1 day)', { GroupName: 'tenant', Description: 'first' })),
    );
    expect(created.ScheduleArn).toBe('arn:aws:scheduler:us-east-1:000000000000:schedule/tenant/one');
    await client.send(new UpdateScheduleCommand(input('one', 'rate(2 days)', { GroupName: 'tenant' })));
    const read = await client.send(new GetScheduleCommand({ Name: 'one', GroupName: 'tenant' }));
    expect(read).toMatchObject({
      ScheduleExpression: 'rate(2 days)',
      State: 'ENABLED',
      CreationDate: new Date(START),
      Target: { Arn: QUEUE },
    });
    expect(read.Description).toBeUndefined();
    await client.send(new CreateScheduleCommand(input('two', 'rate(1 day)', { GroupName: 'tenant' })));
    await client.send(new CreateScheduleCommand(input('two', 'rate(1 day)')));
    const first = await client.send(new ListSchedulesCommand({ GroupName: 'tenant', MaxResults: 1 }));
    const second = await client.send(
      new ListSchedulesCommand({ GroupName: 'tenant', MaxResults: 1, NextToken: first.NextToken }),
    );
    expect([first, second].map(({ Schedules }) => Schedules?.map(({ Name }) => Name))).toEqual([['one'], ['two']]);
    expect(second.NextToken).toBeUndefined();
    await client.send(new DeleteScheduleCommand({ Name: 'one', GroupName: 'tenant' }));
    await expect(client.send(new DeleteScheduleCommand({ Name: 'one', GroupName: 'tenant' }))).rejects.toBeInstanceOf(
      ResourceNotFoundException,
    );
  });

  test('a creation that is sent again with its token is answered like the first', async () => {
    const { client } = await start();
    const create = () => client.send(new CreateScheduleCommand(input('twice', 'rate(1 day)', { ClientToken: 'same' })));
    expect((await create()).ScheduleArn).toBe((await create()).ScheduleArn);
  });

  test('a name taken, a missing schedule and a missing group raise their exceptions', async () => {
    const { client } = await start();
    await client.send(new CreateScheduleCommand(input('taken', 'rate(1 day)')));
    await expect(client.send(new CreateScheduleCommand(input('taken', 'rate(1 day)')))).rejects.toBeInstanceOf(
      ConflictException,
    );
    await expect(client.send(new UpdateScheduleCommand(input('absent', 'rate(1 day)')))).rejects.toBeInstanceOf(
      ResourceNotFoundException,
    );
    await expect(
      client.send(new CreateScheduleCommand(input('x', 'rate(1 day)', { GroupName: 'nogroup' }))),
    ).rejects.toBeInstanceOf(ResourceNotFoundException);
  });

  test.each([
    ['an unknown form', 'every(1 day)', {}],
    ['a rate of nothing', 'rate(0 days)', {}],
    ['five cron fields', 'cron(0 10 * * ?)', {}],
    ['both day fields given', 'cron(0 10 1 * MON *)', {}],
    ['an hour too many', 'cron(0 24 * * ? *)', {}],
    ['a date that does not exist', 'at(2026-13-01T00:00:00)', {}],
    ['a time zone that does not exist', 'rate(1 day)', { ScheduleExpressionTimezone: 'Mars/Olympus' }],
    [
      'a flexible window',
      'rate(1 day)',
      { FlexibleTimeWindow: { Mode: 'FLEXIBLE' as const, MaximumWindowInMinutes: 5 } },
    ],
    ['another kind of target', 'rate(1 day)', { Target: { Arn: 'arn:aws:sns:us-east-1:000000000000:topic', RoleArn } }],
  ])('%s is refused', async (_, expression, more) => {
    const { client } = await start();
    await expect(client.send(new CreateScheduleCommand(input('bad', expression, more)))).rejects.toBeInstanceOf(
      ValidationException,
    );
  });
});

describe('expressions', () => {
  const runs = (expression: string, count: number, { timezone = 'UTC', from = '2026-03-01T12:00:00Z' } = {}) => {
    const recurrence = parseExpression(expression, { timezone, start: START });
    const found: string[] = [];
    for (let at = recurrence.next(Date.parse(from)); at !== undefined && found.length < count; at = recurrence.next(at))
      found.push(new Date(at).toISOString().slice(0, 16));
    return found;
  };

  test.each([
    ['cron(0 10 * * ? *)', ['2026-03-02T10:00', '2026-03-03T10:00']],
    ['cron(15 12 * * ? *)', ['2026-03-01T12:15', '2026-03-02T12:15']],
    ['cron(0 18 ? * MON-FRI *)', ['2026-03-02T18:00', '2026-03-03T18:00']],
    ['cron(0 18 ? * 1 *)', ['2026-03-01T18:00', '2026-03-08T18:00']],
    ['cron(0 18 ? * 7 *)', ['2026-03-07T18:00', '2026-03-14T18:00']],
    ['cron(0 18 ? * L *)', ['2026-03-07T18:00', '2026-03-14T18:00']],
    ['cron(0 8 1 * ? *)', ['2026-04-01T08:00', '2026-05-01T08:00']],
    ['cron(0/15 * * * ? *)', ['2026-03-01T12:15', '2026-03-01T12:30']],
    ['cron(5/20 8-9 ? * 2-6 *)', ['2026-03-02T08:05', '2026-03-02T08:25', '2026-03-02T08:45', '2026-03-02T09:05']],
    ['cron(0 9 ? * 2#1 *)', ['2026-03-02T09:00', '2026-04-06T09:00']],
    ['cron(0 9 ? * 6L *)', ['2026-03-27T09:00', '2026-04-24T09:00']],
    ['cron(0 9 L * ? *)', ['2026-03-31T09:00', '2026-04-30T09:00']],
    ['cron(0 9 15W * ? *)', ['2026-03-16T09:00', '2026-04-15T09:00']],
    ['cron(0 0 1 JAN,JUL ? 2027-2028)', ['2027-01-01T00:00', '2027-07-01T00:00', '2028-01-01T00:00']],
    ['rate(1 hour)', ['2026-03-01T13:00', '2026-03-01T14:00']],
    ['rate(2 days)', ['2026-03-03T12:00', '2026-03-05T12:00']],
  ])('%s', (expression, expected) => {
    expect(runs(expression, expected.length)).toEqual(expected);
  });

  test('an expression whose years are over has no next run', () => {
    expect(runs('cron(0 0 1 1 ? 2020)', 1)).toEqual([]);
  });

  test('a local time the clock skips in spring is left out, one it repeats in autumn runs once', () => {
    const timezone = 'Europe/Berlin';
    expect(runs('cron(30 2 * * ? *)', 2, { timezone, from: '2026-03-28T12:00:00Z' })).toEqual([
      '2026-03-30T00:30',
      '2026-03-31T00:30',
    ]);
    expect(runs('cron(30 2 * * ? *)', 2, { timezone, from: '2026-10-24T12:00:00Z' })).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
  });
});
