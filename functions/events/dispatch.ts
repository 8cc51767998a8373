import { AppError } from '../../shared/errors.ts';
import { DispatchMessage, sendToDispatcher, type Pointer } from '../../shared/events/message.ts';
import { createEventReader } from '../../shared/events/reader.ts';
import { toQueueHandler } from '../../shared/lambda/jobs.ts';
import { createSpill } from '../../shared/store/spill.ts';
import { systemClock as now } from '../../shared/time.ts';
import { dispatchEvent } from './dispatch-event.ts';
import { createLetters, letterId } from './letters.ts';
import { startRun } from './start-run.ts';
import { createDeliveryStore, createTypeStore } from './store.ts';
import { findSubscribers } from './subscribers.ts';

/** After this many the queue puts the message aside. */
const MAX_RECEIVES = 5;

const spill = createSpill();
const letters = createLetters();
const parts = {
  reader: createEventReader(spill),
  deliveries: createDeliveryStore(),
  types: createTypeStore(),
  findSubscribers,
  startRun: (start: Parameters<typeof startRun>[1], at: number) => startRun(spill, start, at),
  send: sendToDispatcher,
  now,
};

/** Pointers from the bus become runs. A failure is on record before the queue tries again. */
export const handler = toQueueHandler(DispatchMessage, async ({ detail }, { attempt }) => {
  try {
    await dispatchEvent(parts, detail, attempt);
  } catch (error) {
    await recordFailure(detail, attempt, error);
    throw error;
  }
  if (attempt > 1 || detail.again) await letters.remove(letterId(detail));
});

/** What nobody foresaw is in the log, and told to nobody. */
async function recordFailure(pointer: Pointer, attempt: number, error: unknown) {
  const state = attempt >= MAX_RECEIVES ? 'dead' : 'retrying';
  await letters.record(pointer, { state, error: error instanceof AppError ? error.message : 'Internal error' }, now());
}
