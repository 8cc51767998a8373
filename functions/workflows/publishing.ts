import { AppError, forbidden, invalidField } from '../../shared/errors.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import type { Graph } from '../../shared/workflow/graph.ts';
import type { GraphProblem, Verdict } from '../../shared/workflow/problem.ts';
import type { WorkflowRow } from '../../shared/workflow/workflow-row.ts';
import * as changes from './changes.ts';
import type { Changing } from './changing.ts';
import type { ApproveRequest, StageRequest } from './records.ts';
import { demandOtherEyes, demandReviewer, type Reviewers } from './review.ts';

export interface PublishingParts {
  readonly changing: Changing;
  readonly validate: (graph: Graph) => Verdict;
  readonly reviewersOf: (orgId: string | null) => Promise<Reviewers>;
  /** Those of these people who are active members of the organization. */
  readonly membersAmong: (orgId: string | null, userIds: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly demandUsable: (actor: UserActor, settings: Graph['settings']) => Promise<void>;
}

/** The way from a Draft to the live version, and back. */
export function createPublishing(parts: PublishingParts) {
  const { change } = parts.changing;
  const sendBack = (actor: UserActor, id: string, { action, notes }: SendBack) =>
    change(actor, id, ({ workflow }, doer) => {
      const commit = changes.sendBack(workflow, action, { doer, notes });
      if (action === 'withdraw') demandSubmitter(actor, workflow);
      else demandReviewer(actor, workflow);
      return commit;
    });
  return {
    async stage(actor: UserActor, id: string, request: StageRequest) {
      await demandMembers(parts, actor, request.reviewer_ids);
      return change(actor, id, async (draft, doer) => {
        const commit = changes.stage(draft, request, doer);
        demandValid(parts.validate(draft.graph));
        await parts.demandUsable(actor, draft.graph.settings);
        return commit;
      });
    },
    withdraw: (actor: UserActor, id: string) => sendBack(actor, id, { action: 'withdraw', notes: '' }),
    reject: (actor: UserActor, id: string, notes: string) => sendBack(actor, id, { action: 'reject', notes }),
    approve: (actor: UserActor, id: string, request: ApproveRequest) =>
      change(actor, id, async (draft, doer) => {
        const commit = changes.approve(draft, request, doer);
        demandReviewer(actor, draft.workflow);
        demandOtherEyes(actor, draft.workflow, await parts.reviewersOf(actor.orgId));
        demandValid(parts.validate(draft.graph));
        return commit;
      }),
    unpublish: (actor: UserActor, id: string) =>
      change(actor, id, ({ workflow }, doer) => {
        demandReviewer(actor, workflow);
        return changes.unpublish(workflow, doer);
      }),
  };
}

export type Publishing = ReturnType<typeof createPublishing>;

interface SendBack {
  readonly action: 'withdraw' | 'reject';
  readonly notes: string;
}

async function demandMembers({ membersAmong }: PublishingParts, actor: UserActor, userIds: readonly string[]) {
  if (userIds.length === 0) return;
  const members = await membersAmong(actor.orgId, userIds);
  const unknown = userIds.filter((userId) => !members.has(userId));
  if (unknown.length > 0)
    throw invalidField(['body', 'reviewer_ids'], `not active members of your organization: ${unknown.join(', ')}`);
}

function demandSubmitter({ userId, role }: UserActor, { review }: WorkflowRow) {
  if (review?.requested_by.user_id !== userId && role !== 'ROLE_ORG_ADMIN')
    throw forbidden('Only who submitted the workflow may withdraw it');
}

/** Staging and publishing refuse a graph with errors, and tell all of them. */
function demandValid({ errors }: Verdict) {
  if (errors.length === 0) return;
  const toProblem = ({ code, path, message }: GraphProblem) => ({
    type: code,
    loc: ['graph', ...path.split('.')],
    msg: message,
  });
  throw new AppError('validation_failed', `The graph has ${errors.length} error(s)`, {
    problems: errors.map(toProblem),
    facts: { problems: errors },
  });
}
