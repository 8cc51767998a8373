import { log } from '../../../../shared/log.ts';
import { createPause } from './pause.ts';
import type { Poller } from './poll-queue.ts';
import { deliverBatch, type StreamFunction } from './stream-batch.ts';
import { createStreamClient } from './stream-client.ts';
import type { StreamPositions } from './stream-positions.ts';
import { createStreamReader } from './stream-reader.ts';

export interface StreamConsumer extends StreamFunction {
  /** Address of the table engine. */
  readonly endpoint: string;
  readonly table: string;
  readonly positions: StreamPositions;
  readonly batchSize?: number;
}

export interface StreamPoller extends Poller {
  /** Looks now: something was probably written. */
  readonly nudge: () => void;
}

const BUSY_MS = 20;
/** Nobody waits this long for what this host writes itself: it nudges. */
const IDLE_MS = 1000;
const BROKEN_MS = 1000;

/** Lambda's event-source mapping for a table's stream: in order, at least once, never past a record that was not handled. */
export function pollStream(consumer: StreamConsumer): StreamPoller {
  const { endpoint, table, functionName, positions, batchSize = 100 } = consumer;
  const client = createStreamClient(endpoint);
  const read = createStreamReader({ client, table, consumer: functionName, positions, batchSize });
  const stopping = new AbortController();
  const { signal } = stopping;
  const idle = createPause();
  const retry = createPause();
  let delay = BUSY_MS;
  const loop = async () => {
    while (!signal.aborted) {
      const count = await read((batch) => deliverBatch({ fn: consumer, batch, pause: retry, signal })).catch(report);
      if (count) delay = BUSY_MS;
      else await idle.sleep(count === undefined ? BROKEN_MS : delay, signal);
      if (count === 0) delay = Math.min(delay * 2, IDLE_MS);
    }
  };
  const report = (error: unknown) => {
    if (!signal.aborted) log.error('stream cannot be read', { id: table, error });
    return undefined;
  };
  const polling = loop();
  return {
    nudge: () => {
      delay = BUSY_MS;
      idle.nudge();
    },
    stop: async () => {
      stopping.abort();
      await polling;
    },
  };
}
