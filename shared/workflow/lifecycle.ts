import { conflict } from '../errors.ts';

/** The state of the working graph. What is live is a pointer of its own and does not follow it. */
export const STATUSES = ['Draft', 'staged', 'Published'] as const;
export type WorkflowStatus = (typeof STATUSES)[number];

export type Move =
  | 'edit'
  | 'stage'
  | 'withdraw'
  | 'reject'
  | 'approve'
  | 'rollback'
  | 'discard'
  | 'unpublish'
  | 'archive'
  | 'unarchive';

export interface Standing {
  readonly status: WorkflowStatus;
  readonly archived: boolean;
  readonly hasLive: boolean;
}

/** What is not listed is refused. */
const NEXT: Record<WorkflowStatus, Partial<Record<Move, WorkflowStatus>>> = {
  Draft: {
    edit: 'Draft',
    stage: 'staged',
    rollback: 'Draft',
    discard: 'Published',
    unpublish: 'Draft',
    archive: 'Draft',
  },
  staged: {
    edit: 'Draft',
    withdraw: 'Draft',
    reject: 'Draft',
    approve: 'Published',
    unpublish: 'Draft',
    archive: 'Draft',
  },
  Published: { edit: 'Draft', rollback: 'Draft', unpublish: 'Draft', archive: 'Draft' },
};

const NEEDS_LIVE: readonly Move[] = ['discard', 'unpublish'];

/** The status after a move, or a refusal that says what stands in the way. */
export function nextStatus(standing: Standing, move: Move): WorkflowStatus {
  const { status, archived, hasLive } = standing;
  if (move === 'unarchive') {
    if (!archived) throw conflict('The workflow is not archived');
    return 'Draft';
  }
  if (archived) throw conflict('The workflow is archived; unarchive it first');
  const next = NEXT[status][move];
  if (!next) throw conflict(REFUSALS[move]?.(status) ?? `A ${status} workflow cannot do this: ${move}`);
  if (NEEDS_LIVE.includes(move) && !hasLive) throw conflict('The workflow has no published version');
  return next;
}

const REFUSALS: Partial<Record<Move, (status: WorkflowStatus) => string>> = {
  approve: (status) => `Only a staged workflow can be approved; this one is ${status}`,
  reject: (status) => `Only a staged workflow can be rejected; this one is ${status}`,
  withdraw: (status) => `Only a staged workflow can be withdrawn; this one is ${status}`,
  stage: (status) =>
    status === 'staged' ? 'The workflow is already staged' : 'The published graph has no changes to review',
  rollback: () => 'A staged workflow cannot be rolled back; withdraw it from review first',
};

/** Whether events, schedules and webhooks may start it. */
export const isServing = (standing: {
  readonly hasLive: boolean;
  readonly paused: boolean;
  readonly archived: boolean;
}) => standing.hasLive && !standing.paused && !standing.archived;
