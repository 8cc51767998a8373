import { forbidden } from '../../shared/errors.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import type { WorkflowRow } from '../../shared/workflow/workflow-row.ts';

/** What the rules below need to know about the organization. */
export interface Reviewers {
  readonly activeAdmins: number;
  /** WORKFLOW_REVIEWER_MUST_DIFFER */
  readonly mustDiffer: boolean;
}

/** Organization administrators review; so does whom the submitter named. Alone, everyone reviews their own work. */
export const isReviewer = (actor: UserActor, workflow: WorkflowRow) =>
  actor.orgId === null ||
  actor.role === 'ROLE_ORG_ADMIN' ||
  (workflow.review?.reviewer_ids.includes(actor.userId) ?? false);

export function demandReviewer(actor: UserActor, workflow: WorkflowRow) {
  if (!isReviewer(actor, workflow)) throw forbidden('Only a reviewer of this workflow may do this');
}

/** Where somebody else could decide, nobody approves their own work. */
export function demandOtherEyes(actor: UserActor, workflow: WorkflowRow, reviewers: Reviewers) {
  if (!reviewers.mustDiffer || actor.orgId === null || !isAuthor(actor, workflow)) return;
  if (othersWhoCould(actor, workflow, reviewers) > 0)
    throw forbidden('Another reviewer must approve this: you edited or submitted it yourself');
}

const isAuthor = ({ userId }: UserActor, { review, edited_by }: WorkflowRow) =>
  edited_by.user_id === userId || review?.requested_by.user_id === userId;

function othersWhoCould(actor: UserActor, { review }: WorkflowRow, { activeAdmins }: Reviewers) {
  const otherAdmins = activeAdmins - (actor.role === 'ROLE_ORG_ADMIN' ? 1 : 0);
  const otherNamed = (review?.reviewer_ids ?? []).filter((id) => id !== actor.userId).length;
  return Math.max(otherAdmins, otherNamed);
}

/** Deleting takes the history along, so it is for who made the workflow and for administrators. */
export function demandOwner(actor: UserActor, workflow: WorkflowRow) {
  if (workflow.user_id !== actor.userId && actor.role !== 'ROLE_ORG_ADMIN')
    throw forbidden('Only who created the workflow or an organization administrator may delete it');
}
