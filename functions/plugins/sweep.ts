import { toScheduledHandler } from '../../shared/lambda/jobs.ts';
import { sweepSources } from '../../shared/plugins/source-store.ts';
import { readPlugin } from '../../shared/plugins/store.ts';
import { systemClock as now } from '../../shared/time.ts';

/** Sources that plugins no longer have. */
export const handler = toScheduledHandler(async () => void (await sweepSources(now(), readPlugin)));
