import { describe, expect, test } from 'vitest';
import { deadLetterQueues } from '../../infra/dead-letters.ts';
import { functionsOf } from '../../infra/functions.ts';
import { BUS_RULES, type JobSpec, QUEUES } from '../../infra/resources.ts';
import { SAMPLE } from './support/sample.ts';
import { build, ofType, plain, resourcesOf, statementsOf } from './support/synth.ts';

const resources = resourcesOf(build(SAMPLE, { context: { alarmMail: 'ops@atrium.example' } }).stacks);
const queues = ofType(resources, 'AWS::SQS::Queue');
const queueNamed = (name: string) => queues.find(({ props }) => props.QueueName === `atrium-prod-${name}`)!;
const arnOf = (name: string) => `<${queueNamed(name).id}.Arn>`;
const sources = ofType(resources, 'AWS::Lambda::EventSourceMapping').map(({ props }) => props);

describe('queues', () => {
  test.each(Object.entries(QUEUES))(
    '%s gives up into its own dead-letter queue',
    (name, { visibility, maxReceives }) => {
      const { props } = queueNamed(name);
      expect(props).toMatchObject({ VisibilityTimeout: visibility, RedrivePolicy: { maxReceiveCount: maxReceives } });
      expect(plain(props.RedrivePolicy.deadLetterTargetArn)).toBe(arnOf(`${name}-dead`));
    },
  );

  test('are encrypted, and dead letters stay for two weeks', () => {
    expect(queues.every(({ props }) => props.SqsManagedSseEnabled)).toBe(true);
    const dead = queues.filter(({ props }) => props.QueueName.endsWith('-dead'));
    expect(dead.map(({ props }) => props.MessageRetentionPeriod)).toEqual(dead.map(() => 14 * 24 * 3600));
  });

  test('report each failed message on its own', () => {
    const consumer = sources.find((source) => plain(source.EventSourceArn) === arnOf('dispatch'));
    expect(consumer).toMatchObject({ BatchSize: 10, FunctionResponseTypes: ['ReportBatchItemFailures'] });
  });

  test('are refused a consumer that may outlive the visibility of a message', () => {
    const slow: JobSpec = { ...SAMPLE.jobs['dispatcher']!, timeout: QUEUES.dispatch.visibility + 1 };
    expect(() => build({ families: {}, jobs: { slow } })).toThrow(/worked on twice/);
  });
});

describe('table streams', () => {
  test('are followed in order, halved on failure, and give up into a dead-letter queue after an hour', () => {
    const relay = sources.find((source) => plain(source.EventSourceArn) === '<atrium-prod-data.EventsStream>');
    expect(relay).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: 100,
      MaximumRecordAgeInSeconds: 3600,
    });
    expect(plain(relay.DestinationConfig.OnFailure.Destination)).toBe(arnOf('relay-stream-dead'));
  });

  test('are not there to follow on a table without one', () => {
    const lost: JobSpec = { ...SAMPLE.jobs['relay']!, source: { table: 'settings' } };
    expect(() => build({ families: {}, jobs: { lost } })).toThrow(/settings, which has no stream/);
  });
});

describe('the bus', () => {
  test('delivers each kind of event to its queue, and what it cannot deliver to a dead-letter queue', () => {
    const rules = ofType(resources, 'AWS::Events::Rule').map(({ props }) => ({
      bus: props.EventBusName,
      detailType: props.EventPattern['detail-type'],
      to: plain(props.Targets[0].Arn),
      dead: plain(props.Targets[0].DeadLetterConfig.Arn),
    }));
    expect(rules).toEqual(
      BUS_RULES.map(({ detailType, queue }) => ({
        bus: 'atrium-prod-events',
        detailType: [detailType],
        to: arnOf(queue),
        dead: arnOf('bus-dead'),
      })),
    );
  });
});

describe('schedules', () => {
  test('run each job at its period and keep what they missed', () => {
    const schedules = ofType(resources, 'AWS::Scheduler::Schedule').map(({ props }) => props);
    expect(schedules.map(({ ScheduleExpression }) => ScheduleExpression)).toEqual(['rate(1 minute)', 'rate(1 day)']);
    for (const { Target } of schedules) expect(plain(Target.DeadLetterConfig.Arn)).toBe(arnOf('schedules-dead'));
  });

  test('made at run time act with a role that reaches only the queues of those who make them', () => {
    const role = ofType(resources, 'AWS::IAM::Role').find(({ props }) =>
      plain(props.RoleName).startsWith('atrium-prod-schedules-'),
    )!;
    expect(statementsOf(role)).toEqual([
      {
        Effect: 'Allow',
        actions: ['sqs:SendMessage'],
        resources: ['mail', 'runs'].map(
          (queue) => `arn:<AWS::Partition>:sqs:<AWS::Region>:<AWS::AccountId>:atrium-prod-${queue}`,
        ),
      },
    ]);
  });
});

describe('alarms', () => {
  const alarms = ofType(resources, 'AWS::CloudWatch::Alarm').map(({ props }) => props);
  const watched = (metric: string) =>
    alarms.filter(({ MetricName }) => MetricName === metric).map(({ Dimensions }) => plain(Dimensions[0].Value));

  test.each(['Errors', 'Throttles'])('watch the %s of every function', (metric) => {
    expect(watched(metric).toSorted()).toEqual(
      functionsOf(SAMPLE)
        .map(({ name }) => `atrium-prod-${name}`)
        .toSorted(),
    );
  });

  test('watch every dead-letter queue there is, and the age of every queue', () => {
    const dead = queues.map(({ props }) => String(props.QueueName)).filter((name) => name.endsWith('-dead'));
    expect(watched('ApproximateNumberOfMessagesVisible').toSorted()).toEqual(dead.toSorted());
    expect(deadLetterQueues(SAMPLE)).toHaveLength(dead.length);
    expect(watched('ApproximateAgeOfOldestMessage')).toEqual(Object.keys(QUEUES).map((name) => `atrium-prod-${name}`));
  });

  test('watch failures at both front doors', () => {
    expect(watched('5xx')).toEqual(['<atrium-prod-http.ApiId>']);
    expect(watched('Url5xxCount')).toEqual(['atrium-prod-talk-stream', 'atrium-prod-papers-stream']);
  });

  test('reach somebody: each one tells the topic, the topic lets them, and mails', () => {
    const [topic] = ofType(resources, 'AWS::SNS::Topic');
    expect(alarms.filter(({ AlarmActions }) => plain(AlarmActions[0]) !== `<${topic?.id}>`)).toEqual([]);
    const [policy] = ofType(resources, 'AWS::SNS::TopicPolicy');
    expect(JSON.stringify(policy?.props)).toContain('"Principal":{"Service":"cloudwatch.amazonaws.com"}');
    expect(ofType(resources, 'AWS::SNS::Subscription')[0]?.props).toMatchObject({ Endpoint: 'ops@atrium.example' });
  });
});
