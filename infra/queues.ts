import { Duration } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { BUS, deadLettersOf } from './dead-letters.ts';
import { namesOf } from './names.ts';
import { BUS_RULES, QUEUES, type QueueSpec } from './resources.ts';
import type { Stage } from './stage.ts';

/** Every queue of the description, each with a dead-letter queue named `<name>-dead`. */
export const createQueues = (scope: Construct, stage: Stage): ReadonlyMap<string, Queue> =>
  new Map(
    Object.entries<QueueSpec>(QUEUES).map(([name, { visibility, maxReceives }]) => {
      const queue = createQueue(scope, name, stage, {
        visibilityTimeout: Duration.seconds(visibility),
        deadLetterQueue: { queue: createDeadLetters(scope, name, stage), maxReceiveCount: maxReceives },
      });
      return [name, queue];
    }),
  );

export const createDeadLetters = (scope: Construct, of: string, stage: Stage) =>
  createQueue(scope, deadLettersOf(of), stage, { retentionPeriod: Duration.days(14) });

/** For letters that EventBridge, Scheduler or a table stream could not deliver. */
export function createUndelivered(scope: Construct, of: string, stage: Stage) {
  const queue = createDeadLetters(scope, of, stage);
  acknowledge(queue, 'SQS3', 'Is a dead-letter queue itself, of a source that the rule does not know.');
  return queue;
}

const createQueue = (scope: Construct, name: string, stage: Stage, props: QueueProps) =>
  new Queue(scope, `${name}-queue`, {
    queueName: namesOf(stage).queue(name),
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    ...props,
  });

/** EventBridge drops what it cannot deliver within a day, unless it is told where to put it. */
export function createBusRules(scope: Construct, stage: Stage, queues: ReadonlyMap<string, Queue>) {
  const eventBus = EventBus.fromEventBusName(scope, 'bus', namesOf(stage).bus);
  const deadLetterQueue = createUndelivered(scope, BUS, stage);
  for (const { detailType, queue } of BUS_RULES) {
    const target = queues.get(queue);
    if (!target) throw new Error(`The bus rule for ${detailType} names an unknown queue: ${queue}`);
    new Rule(scope, `${detailType}-to-${queue}-rule`, {
      eventBus,
      eventPattern: { detailType: [detailType] },
      targets: [new SqsQueue(target, { deadLetterQueue, maxEventAge: Duration.hours(24), retryAttempts: 185 })],
    });
  }
}
