import { randomUUID } from 'node:crypto';
import type { Context, DynamoDBStreamEvent } from 'aws-lambda';
import { log } from '../../../../shared/log.ts';
import { failedItems } from './batch-response.ts';
import { createLambdaContext, runWithin, type FunctionIdentity } from './context.ts';
import type { Pause } from './pause.ts';
import type { QueueHandle } from '../queues/handle.ts';
import type { StreamRecord } from './stream-client.ts';
import type { StreamBatch } from './stream-reader.ts';

export interface StreamFunction extends FunctionIdentity {
  readonly handler: (event: DynamoDBStreamEvent, context: Context) => unknown;
  /** Tries after the first before a record is given up; for ever without an `onFailure` queue. */
  readonly retryAttempts?: number;
  /** Learns which records were given up, in the shape of Lambda's failure destination. */
  readonly onFailure?: QueueHandle;
}

interface Chunk {
  readonly records: readonly StreamRecord[];
  readonly failures: number;
}

interface Attempt {
  readonly fn: StreamFunction;
  readonly batch: StreamBatch;
  readonly pause: Pause;
  readonly signal: AbortSignal;
}

const DEFAULT_RETRIES = 5;
const FIRST_DELAY = 100;
const LONGEST_DELAY = 10_000;

/**
 * Delivers a batch in order until every record is handled or given up, or the signal aborts. A failure is tried again
 * after a pause; the second one halves the batch, so that in the end only the bad record stands alone.
 */
export async function deliverBatch(attempt: Attempt): Promise<void> {
  const { batch, fn, pause, signal } = attempt;
  let chunks: readonly Chunk[] = [{ records: batch.records, failures: 0 }];
  while (!signal.aborted) {
    const [chunk, ...rest] = chunks;
    if (!chunk) return;
    const left = await handleChunk(attempt, chunk.records);
    if (left.length === 0) {
      chunks = rest;
      continue;
    }
    const failures = left.length < chunk.records.length ? 1 : chunk.failures + 1;
    chunks = [...afterFailure(attempt, { records: left, failures }), ...rest];
    if (!isGivenUp(fn, { records: left, failures }))
      await pause.sleep(Math.min(FIRST_DELAY * 2 ** (failures - 1), LONGEST_DELAY), signal);
  }
}

/** Returns the records that still have to be handled. */
async function handleChunk({ fn, batch }: Attempt, records: readonly StreamRecord[]): Promise<readonly StreamRecord[]> {
  const ids = records.map(({ dynamodb }) => dynamodb.SequenceNumber);
  try {
    const event = streamEvent(batch.stream, records);
    const response = await runWithin(fn.timeout, () => fn.handler(event, createLambdaContext(fn)));
    const failed = failedItems(response, ids);
    const first = failed.size === 0 ? records.length : ids.findIndex((id) => failed.has(id));
    const last = ids[first - 1];
    if (last !== undefined) batch.commit(last);
    return records.slice(first);
  } catch (error) {
    log.error('stream batch failed', { id: fn.functionName, count: records.length, error });
    return records;
  }
}

function afterFailure({ fn, batch }: Attempt, chunk: Chunk): readonly Chunk[] {
  if (isGivenUp(fn, chunk)) {
    giveUp(fn, batch, chunk);
    return [];
  }
  if (chunk.failures < 2 || chunk.records.length === 1) return [chunk];
  const middle = Math.ceil(chunk.records.length / 2);
  return [
    { records: chunk.records.slice(0, middle), failures: 0 },
    { records: chunk.records.slice(middle), failures: 0 },
  ];
}

const isGivenUp = ({ onFailure, retryAttempts }: StreamFunction, { records, failures }: Chunk) =>
  records.length === 1 && failures > (retryAttempts ?? (onFailure ? DEFAULT_RETRIES : Infinity));

function giveUp(fn: StreamFunction, batch: StreamBatch, { records, failures }: Chunk) {
  const sequence = records[0]?.dynamodb.SequenceNumber ?? '';
  fn.onFailure?.send({ body: JSON.stringify(failureRecord(fn, batch, { records, failures })) });
  batch.commit(sequence);
  log.error('stream record given up', { id: fn.functionName, reason: sequence, count: failures });
}

function failureRecord({ functionName }: StreamFunction, { stream, shard }: StreamBatch, { records, failures }: Chunk) {
  const times = records.map(({ dynamodb }) =>
    new Date((dynamodb.ApproximateCreationDateTime ?? 0) * 1000).toISOString(),
  );
  return {
    requestContext: {
      requestId: randomUUID(),
      functionArn: `arn:aws:lambda:us-east-1:000000000000:function:${functionName}`,
      condition: 'RetryAttemptsExhausted',
      approximateInvokeCount: failures,
    },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId: shard,
      startSequenceNumber: records[0]?.dynamodb.SequenceNumber,
      endSequenceNumber: records.at(-1)?.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: times[0],
      approximateArrivalOfLastRecord: times.at(-1),
      batchSize: records.length,
      streamArn: stream,
    },
  };
}

/** Records come off the wire in the very shape Lambda hands on; only the stream's name is added. */
const streamEvent = (stream: string, records: readonly StreamRecord[]) =>
  ({ Records: records.map((record) => ({ ...record, eventSourceARN: stream })) }) as DynamoDBStreamEvent;
