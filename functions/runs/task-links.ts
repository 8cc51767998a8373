import * as z from 'zod';
import { openTable } from '../../shared/store/table.ts';
import { taskLinkKey } from '../../shared/workflow/keys.ts';

const table = openTable('workflows');

/** Where a one-time link leads; only the hash of its token is kept. */
export const TaskLink = z.object({
  tenant: z.string(),
  run_id: z.string(),
  workflow_id: z.string(),
  step_id: z.string(),
  /** In whose name it decides; null for whoever was given it. */
  for: z.string().nullable(),
  expires_at: z.int(),
});
export type TaskLink = z.output<typeof TaskLink>;

export const putTaskLink = (tokenHash: string, link: TaskLink): Promise<void> =>
  table.put({ ...taskLinkKey(tokenHash), ...link, ttl: Math.ceil(link.expires_at / 1000) });

export async function readTaskLink(tokenHash: string): Promise<TaskLink | undefined> {
  const row = await table.get(taskLinkKey(tokenHash));
  return row && TaskLink.parse(row);
}

/** Leads people to the page; programs drop its last part. */
export const taskLink = (svcUrl: string, token: string) => `${svcUrl}/api/public/workflow-tasks/${token}/page`;
