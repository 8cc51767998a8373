import { createSpill } from '../../shared/store/spill.ts';
import { sweepDue } from '../../functions/runs/sweeper.ts';

/** What the host does every minute, done at once against the host whose environment this process was given. */
process.stdout.write(JSON.stringify(await sweepDue(createSpill(), Date.now())));
