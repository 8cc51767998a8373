import { holds } from '../store/dynamodb.ts';
import { present } from '../store/expression.ts';
import { openTable } from '../store/table.ts';
import { workKey } from './keys.ts';

const table = openTable('workflows');

interface Cancelled {
  readonly tenant: string;
  readonly runId: string;
  readonly reason: string;
}

/**
 * Asks the runner to stop. Whoever holds the run sees it at the next heartbeat or commit; a run that nobody holds is
 * woken to end itself. False when the run has already ended.
 */
export const cancelRun = ({ tenant, runId, reason }: Cancelled): Promise<boolean> =>
  holds(table.update(workKey(tenant, runId), { set: { cancel: reason, wake: true } }, present));
