import { hashToken } from '../../shared/accounts/link-token.ts';
import { userKey, UserRow } from '../../shared/identity/rows.ts';
import { newSecret } from '../../shared/ids.ts';
import { log } from '../../shared/log.ts';
import { quoted } from '../../shared/mail/letter.ts';
import type { Outbox } from '../../shared/mail/outbox.ts';
import { batchGet } from '../../shared/store/batch.ts';
import { openTable } from '../../shared/store/table.ts';
import type { RunRow } from '../../shared/workflow/run-record.ts';
import type { StepRow } from '../../shared/workflow/step-record.ts';
import { putTaskLink, taskLink } from './task-links.ts';

const accounts = openTable('accounts');

interface Parts {
  readonly outbox: Outbox;
  readonly svcUrl: string;
}

/** Mails a one-time link to everyone a task is for. The task waits whether or not a mail arrives. */
export const createNotify =
  ({ outbox, svcUrl }: Parts) =>
  async (run: RunRow, { task, step_id }: StepRow): Promise<void> => {
    if (!task || task.assignees.length === 0) return;
    const people = await peopleOf(run.tenant, task.assignees);
    for (const person of people) {
      const token = newSecret();
      const { tenant, run_id, workflow_id } = run;
      await putTaskLink(hashToken(token), {
        tenant,
        run_id,
        workflow_id,
        step_id,
        for: person.userId,
        expires_at: task.expires_at,
      });
      await outbox.send(person.email, {
        subject: `Waiting for you: ${quoted(task.title)}`,
        lines: [`Hello ${quoted(person.name)},`, 'a workflow waits for your decision:', quoted(task.title, 200)],
        action: { label: 'Decide', link: taskLink(svcUrl, token) },
        closing: 'The link works once. Whoever has it can decide in your name.',
      });
    }
  };

/** Only people of the run's own tenant are told anything. */
async function peopleOf(tenant: string, userIds: readonly string[]): Promise<UserRow[]> {
  const rows = await batchGet(userIds.map((userId) => ({ table: accounts, key: userKey(userId) })));
  const people = rows.flatMap((row) => (row ? [UserRow.parse(row)] : []));
  const own = people.filter(
    ({ status, orgId, userId }) => status === 'ACTIVE' && (orgId ? `org:${orgId}` : `user:${userId}`) === tenant,
  );
  if (own.length < userIds.length) log.warn('assignees not found', { count: userIds.length - own.length });
  return own;
}
