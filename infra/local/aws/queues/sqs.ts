import * as z from 'zod';
import { AwsFault } from '../fault.ts';
import { redrivePolicy } from './attributes.ts';
import type { QueueRecord } from './registry.ts';
import type { Queues } from './queues.ts';
import { messageOperations } from './sqs-messages.ts';
import { operation, type Operation, type TargetService } from '../wire.ts';

export const sqsService = (queues: Queues): TargetService => ({
  target: 'AmazonSQS',
  version: '1.0',
  invalid: 'InvalidParameterValue',
  legacyCodes: LEGACY_CODES,
  operations: { ...queueOperations(queues), ...messageOperations(queues) },
});

const prefixed = (code: string) => ({ [code]: `AWS.SimpleQueueService.${code}` });

const LEGACY_CODES = {
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  QueueNameExists: 'QueueAlreadyExists',
  ...prefixed('BatchEntryIdsNotDistinct'),
  ...prefixed('BatchRequestTooLong'),
  ...prefixed('EmptyBatchRequest'),
  ...prefixed('InvalidBatchEntryId'),
  ...prefixed('MessageNotInflight'),
  ...prefixed('TooManyEntriesInBatchRequest'),
  ...prefixed('UnsupportedOperation'),
};

const Attributes = z.record(z.string(), z.string()).default({});
const OneQueue = z.object({ QueueUrl: z.string() });

const queueOperations = (queues: Queues): Record<string, Operation> => ({
  CreateQueue: operation(z.object({ QueueName: z.string(), Attributes }), ({ QueueName, Attributes }) => ({
    QueueUrl: queues.registry.create(QueueName, Attributes).url,
  })),
  GetQueueUrl: operation(z.object({ QueueName: z.string() }), ({ QueueName }) => ({
    QueueUrl: queues.registry.get(QueueName).url,
  })),
  ListQueues: operation(ListQueues, (input) => listQueues(queues, input)),
  DeleteQueue: operation(OneQueue, ({ QueueUrl }) => queues.remove(QueueUrl)),
  PurgeQueue: operation(OneQueue, ({ QueueUrl }) => queues.purge(QueueUrl)),
  GetQueueAttributes: operation(
    OneQueue.extend({ AttributeNames: z.array(z.string()).default([]) }),
    ({ QueueUrl, AttributeNames }) => ({ Attributes: pick(attributesOf(queues, QueueUrl), AttributeNames) }),
  ),
  SetQueueAttributes: operation(OneQueue.extend({ Attributes }), ({ QueueUrl, Attributes }) => {
    queues.registry.update(QueueUrl, Attributes);
  }),
  StartMessageMoveTask: operation(
    z.object({ SourceArn: z.string(), DestinationArn: z.string().optional() }),
    ({ SourceArn, DestinationArn }) => startMove(queues, SourceArn, DestinationArn),
  ),
});

const ListQueues = z.object({
  QueueNamePrefix: z.string().default(''),
  MaxResults: z.int().min(1).max(1000).default(1000),
  NextToken: z.string().optional(),
});

function listQueues(queues: Queues, { QueueNamePrefix, MaxResults, NextToken }: z.infer<typeof ListQueues>) {
  const rest = queues.registry
    .list()
    .filter(({ name }) => name.startsWith(QueueNamePrefix) && (NextToken === undefined || name > NextToken));
  const page = rest.slice(0, MaxResults);
  return {
    QueueUrls: page.map(({ url }) => url),
    NextToken: rest.length > page.length ? page.at(-1)?.name : undefined,
  };
}

function attributesOf(queues: Queues, url: string): Record<string, string> {
  const queue = queues.registry.get(url);
  const { visible, inFlight, delayed } = queues.counts(url);
  return {
    ...queue.attributes,
    QueueArn: queue.arn,
    CreatedTimestamp: String(Math.floor(queue.createdAt / 1000)),
    LastModifiedTimestamp: String(Math.floor(queue.modifiedAt / 1000)),
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
    ApproximateNumberOfMessagesDelayed: String(delayed),
  };
}

const pick = (attributes: Record<string, string>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => names.includes('All') || names.includes(name)));

/** The real task runs for a while; here everything has moved when the call returns. */
function startMove(queues: Queues, source: string, destination: string | undefined) {
  if (!queues.registry.has(source))
    throw new AwsFault('ResourceNotFoundException', 'The resource does not exist.', 404);
  const { arn } = queues.registry.get(source);
  if (!queues.registry.list().some((queue) => feeds(queue, arn)))
    throw new AwsFault('InvalidParameterValue', 'Source queue must be configured as a Dead Letter Queue.');
  queues.redrive(arn, destination);
  return { TaskHandle: Buffer.from(`${arn} ${Date.now()}`).toString('base64') };
}

const feeds = (queue: QueueRecord, arn: string) => redrivePolicy(queue.attributes)?.deadLetterTargetArn === arn;
