import type { Exchange } from '../wire/connection.ts';

export type Source = Pick<Exchange, 'pause' | 'resume' | 'destroy'>;
export type OnChunk = (chunk: Buffer) => Promise<void> | void;

/**
 * What has arrived of a body and nobody has taken yet. Once somebody pumps and keeps up, a chunk goes straight through:
 * no iterator and no stream stands between the socket and the consumer.
 */
export interface BodyQueue {
  chunk(chunk: Buffer): void;
  end(): void;
  fail(error: unknown): void;
  pump(onChunk: OnChunk): Promise<void>;
}

interface Consumer {
  readonly onChunk: OnChunk;
  readonly settle: (end: End) => void;
}

interface End {
  readonly error?: unknown;
}

export function createBodyQueue(source: Source): BodyQueue {
  let waiting: Buffer[] = [];
  let end: End | undefined;
  let consumer: Consumer | undefined;
  let isBusy = false;

  const give = (chunk: Buffer) => {
    const busy = handOver(chunk, consumer);
    if (!busy) return;
    isBusy = true;
    source.pause();
    busy.then(goOn, giveUp);
  };
  const giveUp = (error: unknown) => {
    source.destroy();
    waiting = [];
    end = { error };
    goOn();
  };
  const goOn = () => {
    isBusy = false;
    for (let next = waiting.shift(); next; next = isBusy ? undefined : waiting.shift()) give(next);
    if (!isBusy) source.resume();
    close();
  };
  const close = (how?: End) => {
    end ??= how;
    if (end && !isBusy && waiting.length === 0) consumer?.settle(end);
  };
  return {
    chunk: (chunk) => (consumer && !isBusy ? give(chunk) : hold(waiting, chunk, source)),
    end: () => close({}),
    fail: (error) => close({ error }),
    pump: (onChunk) =>
      new Promise((...outcome) => {
        consumer = consumerOf(onChunk, outcome);
        goOn();
      }),
  };
}

/** More than this waits in the socket rather than here. */
const MOST_WAITING = 64 * 1024;

function hold(waiting: Buffer[], chunk: Buffer, source: Source) {
  waiting.push(chunk);
  if (waiting.reduce((sum, { length }) => sum + length, 0) > MOST_WAITING) source.pause();
}

type Outcome = [resolve: () => void, reject: (error: unknown) => void];

const consumerOf = (onChunk: OnChunk, [resolve, reject]: Outcome): Consumer => ({
  onChunk,
  settle: ({ error }) => (error === undefined ? resolve() : reject(error)),
});

/** What a consumer throws is the same as a promise that fails. */
function handOver(chunk: Buffer, consumer: Consumer | undefined): Promise<void> | void {
  try {
    return consumer?.onChunk(chunk);
  } catch (error) {
    return Promise.reject(error);
  }
}
