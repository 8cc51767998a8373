import { Duration } from 'aws-cdk-lib';
import { EventSourceMapping, type Function as LambdaFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { allow, type Grant } from './grant.ts';

/** Event sources, each with the rights it needs: CDK's own grants would bring wildcards. */

interface TableStream {
  readonly streamArn: string;
  readonly undelivered: Queue;
}

export function mayFollowTable({
  tableArn,
  streamArn,
  undelivered,
}: TableStream & { readonly tableArn: string }): Grant {
  const streams = `${tableArn}/stream/*`;
  return {
    statements: [
      allow(['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'], streamArn),
      allow(['dynamodb:ListStreams'], streams),
      allow(['sqs:SendMessage'], undelivered.queueArn),
    ],
    environment: {},
    wildcards: [{ resource: streams, reason: 'Listing streams is checked against all streams of this one table.' }],
  };
}

/** A record that keeps failing is set aside after an hour; until then its shard waits, because order matters. */
export const followTable = (target: LambdaFunction, { streamArn, undelivered }: TableStream) =>
  new EventSourceMapping(target, 'source', {
    target,
    eventSourceArn: streamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 100,
    bisectBatchOnError: true,
    reportBatchItemFailures: true,
    retryAttempts: 100,
    maxRecordAge: Duration.hours(1),
    onFailure: { bind: () => ({ destination: undelivered.queueArn }) },
  });

export const mayConsumeQueue = (queue: Queue): Grant => ({
  statements: [
    allow(
      ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility', 'sqs:GetQueueAttributes'],
      queue.queueArn,
    ),
  ],
  environment: {},
});

export const consumeQueue = (
  target: LambdaFunction,
  { queue, batch }: { readonly queue: Queue; readonly batch: number },
) =>
  new EventSourceMapping(target, 'source', {
    target,
    eventSourceArn: queue.queueArn,
    batchSize: batch,
    reportBatchItemFailures: true,
  });
