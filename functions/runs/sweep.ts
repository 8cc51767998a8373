import { toScheduledHandler } from '../../shared/lambda/jobs.ts';
import { createSpill } from '../../shared/store/spill.ts';
import { systemClock as now } from '../../shared/time.ts';
import { sweepDue } from './sweeper.ts';

const spill = createSpill();

export const handler = toScheduledHandler(async () => {
  await sweepDue(spill, now());
});
