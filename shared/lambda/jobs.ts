import middy from '@middy/core';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type * as z from 'zod';
import { log } from '../log.ts';
import { lambdaOnion } from './onion.ts';

/** One message, parsed. Throwing returns only this message to its queue; after enough tries it is a dead letter. */
export type Consume<T> = (message: T, info: { readonly messageId: string; readonly attempt: number }) => Promise<void>;

/** A queue consumer: messages run side by side, each succeeds or fails on its own. */
export const toQueueHandler = <S extends z.ZodType>(schema: S, consume: Consume<z.output<S>>) =>
  middy<SQSEvent, SQSBatchResponse>()
    .use(lambdaOnion())
    .handler(async (event: SQSEvent) => {
      const results = await Promise.allSettled(
        event.Records.map(async (record) =>
          consume(schema.parse(JSON.parse(record.body)), {
            messageId: record.messageId,
            attempt: Number(record.attributes.ApproximateReceiveCount),
          }),
        ),
      );
      return { batchItemFailures: event.Records.flatMap((record, i) => failureOf(results[i], record.messageId)) };
    });

export type StreamRecord = DynamoDBStreamEvent['Records'][number];

/** A table-stream consumer: order matters, so the first failure returns it and everything after it. */
export const toTableStreamHandler = (consume: (records: readonly StreamRecord[]) => Promise<void>) =>
  middy<DynamoDBStreamEvent, DynamoDBBatchResponse>()
    .use(lambdaOnion())
    .handler(async (event: DynamoDBStreamEvent) => {
      await consume(event.Records);
      return { batchItemFailures: [] };
    });

/** Something that runs by the clock. */
export const toScheduledHandler = (run: () => Promise<void>) =>
  middy<unknown, void>()
    .use(lambdaOnion())
    .handler(async () => run());

function failureOf(result: PromiseSettledResult<void> | undefined, itemIdentifier: string) {
  if (result?.status !== 'rejected') return [];
  log.error('message failed', { id: itemIdentifier, error: result.reason });
  return [{ itemIdentifier }];
}
