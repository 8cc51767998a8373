import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import { tenantOf, type UserActor } from '../../shared/identity/actor.ts';
import type { RunRow } from '../../shared/workflow/run-record.ts';
import type { Reads } from './read-store.ts';
import type { BulkRequest, BulkResult } from './records.ts';
import type { Replays } from './replays.ts';
import type { Runs } from './service.ts';

export interface BulkParts {
  readonly runs: Runs;
  readonly replays: Replays;
  readonly reads: Pick<Reads, 'run' | 'runs'>;
  readonly newId: () => string;
}

export type Bulk = (actor: UserActor, request: BulkRequest, key: string | null) => Promise<z.output<typeof BulkResult>>;

const AT_ONCE = 10;
const MOST = 100;

/** The same for many runs. Each replay is named by the bulk and its run, so the same bulk again makes nothing new. */
export const createBulk =
  (parts: BulkParts): Bulk =>
  async (actor, request, key) => {
    const bulk_id = key ?? parts.newId();
    const ids = request.run_ids ?? (await matching(parts, actor, request));
    const data: z.output<typeof BulkResult>['data'] = [];
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const some = ids.slice(at, at + AT_ONCE);
      data.push(
        ...(await Promise.all(some.map((runId) => one(parts, actor, { runId, bulk_id, action: request.action })))),
      );
    }
    return { bulk_id, data };
  };

async function matching({ runs, reads }: BulkParts, actor: UserActor, { filter }: BulkRequest): Promise<string[]> {
  if (!filter) return [];
  const { workflow_id, ...rest } = filter;
  const { tenant, id } = await runs.demandWorkflow(actor, workflow_id);
  const page = await reads.runs({ tenant, workflowId: id }, { ...rest, limit: MOST });
  return page.data.map(({ run_id }) => run_id);
}

interface One {
  readonly runId: string;
  readonly bulk_id: string;
  readonly action: BulkRequest['action'];
}

async function one(parts: BulkParts, actor: UserActor, { runId, bulk_id, action }: One) {
  const outcome = (said: string, fresh?: RunRow) => ({
    run_id: runId,
    outcome: said,
    new_run_id: fresh?.run_id ?? null,
  });
  try {
    const run = await parts.reads.run(tenantOf(actor), runId);
    if (!run) return outcome('not_found');
    if (action === 'replay')
      return outcome('replayed', await parts.replays.replay(actor, run, { request: {}, key: `${bulk_id}:${runId}` }));
    await parts.runs.cancel(actor, run.workflow_id, runId);
    return outcome('cancelling');
  } catch (error) {
    if (error instanceof AppError) return outcome(error.code);
    throw error;
  }
}
