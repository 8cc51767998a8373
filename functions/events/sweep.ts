import { sendToDispatcher } from '../../shared/events/message.ts';
import { createEventReader } from '../../shared/events/reader.ts';
import { toScheduledHandler } from '../../shared/lambda/jobs.ts';
import { log } from '../../shared/log.ts';
import { createSpill } from '../../shared/store/spill.ts';
import { systemClock as now } from '../../shared/time.ts';
import { createLetters } from './letters.ts';
import { areDone, createSweepMark } from './store.ts';
import { sweepEvents } from './sweeping.ts';

const parts = {
  reader: createEventReader(createSpill()),
  letters: createLetters(),
  mark: createSweepMark(),
  areDone,
  send: sendToDispatcher,
  now,
};

export const handler = toScheduledHandler(async () => {
  const { republished, died } = await sweepEvents(parts);
  if (republished > 0) log.warn('events had to be sent to the dispatcher again', { count: republished });
  if (died > 0) log.error('events could not be dispatched', { count: died });
});
