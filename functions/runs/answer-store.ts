import { conflict } from '../../shared/errors.ts';
import { orElse } from '../../shared/store/dynamodb.ts';
import { present, when } from '../../shared/store/expression.ts';
import { openTable } from '../../shared/store/table.ts';
import { deleting, transact, updating } from '../../shared/store/transaction.ts';
import { stepKey, taskLinkKey, workKey } from '../../shared/workflow/keys.ts';
import type { HumanAnswer } from '../../shared/workflow/step-record.ts';

const table = openTable('workflows');

interface Answering {
  readonly tenant: string;
  readonly runId: string;
  readonly stepId: string;
  readonly answer: HumanAnswer;
  /** The link that is used up by this answer. */
  readonly linkHash?: string;
}

/** The first answer is kept and wakes the run; every later one is refused. */
export async function keepAnswer({ tenant, runId, stepId, answer, linkHash }: Answering): Promise<void> {
  await transact([
    updating('step', table, stepKey(tenant, runId, stepId), {
      set: { answer },
      remove: ['gsi1pk', 'gsi1sk'],
      if: when('#status = :waiting AND attribute_not_exists(#answer)', { waiting: 'waiting' }),
    }),
    updating('work', table, workKey(tenant, runId), { set: { wake: true }, if: present }),
    ...(linkHash ? [deleting('link', table, taskLinkKey(linkHash), present)] : []),
  ]).catch(orElse(() => conflict('This task has already been answered, or its run has ended')));
}
