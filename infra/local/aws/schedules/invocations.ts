import * as z from 'zod';
import { log } from '../../../../shared/log.ts';
import type { Queues } from '../queues/queues.ts';
import type { ReceivedMessage } from '../queues/receive.ts';

/** Lambda's asynchronous invocation: accepted durably, tried three times, then a dead letter. */
export interface Invocations {
  add(invocation: Invocation): void;
  stop(): Promise<void>;
}

const Invocation = z.object({ functionName: z.string(), payload: z.string(), deadLetters: z.string().optional() });
export type Invocation = z.infer<typeof Invocation>;

export type Invoke = (functionName: string, event: unknown) => Promise<unknown>;

const QUEUE = '_invocations';
/** A function runs at most this long. */
const LEASE_SECONDS = 900;
const RETRY_SECONDS = [60, 120];
const AT_ONCE = 10;

export function startInvocations(queues: Queues, invoke: Invoke): Invocations {
  queues.declare(QUEUE, { VisibilityTimeout: String(LEASE_SECONDS) });
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      const messages = await queues.receive(QUEUE, { max: 1, wait: 60, signal: stopping.signal });
      for (const message of messages) {
        const work = run(queues, message, invoke).catch((error: unknown) =>
          log.error('invocation was lost', { error }),
        );
        running.add(work);
        void work.then(() => running.delete(work));
      }
      if (running.size >= AT_ONCE) await Promise.race(running);
    }
  };
  const polling = loop();
  return {
    add: (invocation) => void queues.send(QUEUE, { body: JSON.stringify(invocation) }),
    stop: async () => {
      stopping.abort();
      await polling;
      await Promise.all(running);
    },
  };
}

async function run(queues: Queues, message: ReceivedMessage, invoke: Invoke): Promise<void> {
  const invocation = Invocation.parse(JSON.parse(message.body));
  try {
    await invoke(invocation.functionName, JSON.parse(invocation.payload));
    queues.delete(QUEUE, message.receipt);
  } catch (error) {
    log.error('function failed', { id: invocation.functionName, count: message.receives, error });
    retryOrBury(queues, message, invocation);
  }
}

function retryOrBury(queues: Queues, message: ReceivedMessage, { payload, deadLetters }: Invocation) {
  const delay = RETRY_SECONDS[message.receives - 1];
  if (delay !== undefined) return queues.changeVisibility(QUEUE, message.receipt, delay);
  if (deadLetters && queues.registry.has(deadLetters)) queues.send(deadLetters, { body: payload });
  queues.delete(QUEUE, message.receipt);
}
