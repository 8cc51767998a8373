import { setImmediate } from 'node:timers/promises';
import type { Context, SQSEvent } from 'aws-lambda';
import { log } from '../../../../shared/log.ts';
import { failedItems } from './batch-response.ts';
import { createLambdaContext, runWithin, type FunctionIdentity } from './context.ts';
import { queueEvent } from './queue-event.ts';
import type { QueueHandle } from '../queues/handle.ts';
import type { ReceivedMessage } from '../queues/receive.ts';

export interface QueueConsumer extends FunctionIdentity {
  readonly queue: QueueHandle;
  readonly handler: (event: SQSEvent, context: Context) => unknown;
  readonly batchSize?: number;
  /** Seconds; the queue's own value unless given. */
  readonly visibilityTimeout?: number;
  /** Batches worked on at the same time. */
  readonly concurrency?: number;
}

export interface Poller {
  /** Takes nothing more and waits for what is running. */
  readonly stop: () => Promise<void>;
}

const LONG_POLL_SECONDS = 20;

/** Lambda's event-source mapping for a queue: what the function does not report as failed is deleted, the rest comes again. */
export function pollQueue(consumer: QueueConsumer): Poller {
  const { queue, batchSize = 10, concurrency = 2 } = consumer;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const take = {
    max: batchSize,
    wait: LONG_POLL_SECONDS,
    visibility: consumer.visibilityTimeout,
    signal: stopping.signal,
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      const messages = await queue.receive(take);
      if (messages.length === 0) continue;
      const work = runBatch(consumer, messages);
      running.add(work);
      void work.then(() => running.delete(work));
      if (running.size >= concurrency) await Promise.race(running);
      // A full queue and a function that never waits must not shut everyone else out.
      await setImmediate();
    }
  };
  const polling = loop().catch((error: unknown) => log.error('queue poller stopped', { id: queue.name, error }));
  return {
    stop: async () => {
      stopping.abort();
      await polling;
      await Promise.all(running);
    },
  };
}

/** Never rejects: a batch that fails stays in the queue and is seen again when its visibility timeout ends. */
async function runBatch({ queue, handler, ...fn }: QueueConsumer, messages: readonly ReceivedMessage[]): Promise<void> {
  try {
    const event = queueEvent(queue.arn, messages);
    const response = await runWithin(fn.timeout, () => handler(event, createLambdaContext(fn)));
    const failed = failedItems(
      response,
      messages.map(({ id }) => id),
    );
    for (const { id, receipt } of messages) if (!failed.has(id)) queue.delete(receipt);
  } catch (error) {
    log.error('queue batch failed', { id: fn.functionName, count: messages.length, error });
  }
}
