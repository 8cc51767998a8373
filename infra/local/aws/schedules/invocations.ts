import type { SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { log } from '../../../../shared/log.ts';
import { pollQueue } from '../lambda/poll-queue.ts';
import { openQueue } from '../queues/handle.ts';
import type { Queues } from '../queues/queues.ts';

/** Lambda's asynchronous invocation: accepted durably, tried three times, then a dead letter. */
export interface Invocations {
  add(invocation: Invocation): void;
  stop(): Promise<void>;
}

const Invocation = z.object({ functionName: z.string(), payload: z.string(), deadLetters: z.string().optional() });
export type Invocation = z.infer<typeof Invocation>;

export type Invoke = (functionName: string, event: unknown) => Promise<unknown>;

const QUEUE = '_invocations';
/** Lambda's longest run. */
const LEASE_SECONDS = 900;
const RETRY_SECONDS = [60, 120];

export function startInvocations(queues: Queues, invoke: Invoke): Invocations {
  queues.declare(QUEUE, { VisibilityTimeout: String(LEASE_SECONDS) });
  const poller = pollQueue({
    queue: openQueue(queues, QUEUE),
    functionName: QUEUE,
    timeout: LEASE_SECONDS,
    batchSize: 1,
    concurrency: 10,
    handler: async ({ Records }) => {
      for (const record of Records) await run(queues, record, invoke);
    },
  });
  return { add: (invocation) => void queues.send(QUEUE, { body: JSON.stringify(invocation) }), stop: poller.stop };
}

async function run(queues: Queues, record: SQSRecord, invoke: Invoke): Promise<void> {
  const { functionName, payload, deadLetters } = Invocation.parse(JSON.parse(record.body));
  try {
    await invoke(functionName, JSON.parse(payload));
  } catch (error) {
    const attempt = Number(record.attributes.ApproximateReceiveCount);
    const delay = RETRY_SECONDS[attempt - 1];
    if (delay !== undefined) {
      queues.changeVisibility(QUEUE, record.receiptHandle, delay);
      throw error;
    }
    log.error('function given up', { id: functionName, count: attempt, error });
    if (deadLetters && queues.registry.has(deadLetters)) queues.send(deadLetters, { body: payload });
  }
}
