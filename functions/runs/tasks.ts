import { conflict, forbidden, invalidField, notFound } from '../../shared/errors.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { schemaMisfit } from '../../shared/workflow/fits-schema.ts';
import type { RunRow } from '../../shared/workflow/run-record.ts';
import type { HumanAnswer, HumanTask, StepRow } from '../../shared/workflow/step-record.ts';
import type { RespondRequest } from './records.ts';
import type { TaskLink } from './task-links.ts';

interface KeepAnswer {
  readonly tenant: string;
  readonly runId: string;
  readonly stepId: string;
  readonly answer: HumanAnswer;
  readonly linkHash?: string;
}

export interface TaskParts {
  readonly readStep: (tenant: string, runId: string, stepId: string) => Promise<StepRow | undefined>;
  readonly keepAnswer: (answer: KeepAnswer) => Promise<void>;
  readonly putLink: (tokenHash: string, link: TaskLink) => Promise<void>;
  readonly readLink: (tokenHash: string) => Promise<TaskLink | undefined>;
  readonly hash: (token: string) => string;
  readonly newToken: () => string;
  readonly linkTo: (token: string) => string;
  readonly now: () => number;
}

interface OpenStep extends StepRow {
  readonly task: HumanTask;
}

interface Where {
  readonly tenant: string;
  readonly run_id: string;
  readonly step_id: string;
}

/** What people are asked by runs, and what they say when they are signed in. */
export const createTasks = (parts: TaskParts) => ({
  async respond(actor: UserActor, run: RunRow, { stepId, request }: { stepId: string; request: RespondRequest }) {
    const { tenant, run_id } = run;
    const step = await demandOpen(parts, { tenant, run_id, step_id: stepId });
    if (!mayAnswer(actor, step.task)) throw forbidden('This task is for somebody else');
    const by = { user_id: actor.userId, name: actor.name };
    const answer = answerTo(parts, step.task, { ...request, by });
    await parts.keepAnswer({ tenant, runId: run_id, stepId, answer });
    return { ...step, answer };
  },
  async createLink(actor: UserActor, run: RunRow, stepId: string) {
    const where = { tenant: run.tenant, run_id: run.run_id, step_id: stepId };
    const { task } = await demandOpen(parts, where);
    if (!mayAnswer(actor, task)) throw forbidden('This task is for somebody else');
    const token = parts.newToken();
    const { expires_at } = task;
    await parts.putLink(parts.hash(token), { ...where, workflow_id: run.workflow_id, for: null, expires_at });
    return { url: parts.linkTo(token), expires_at };
  },
});

/** The same by a one-time link: the token is the whole credential, and one answer uses it up. */
export const createLinks = (parts: TaskParts) => ({
  async task(token: string) {
    const link = await demandLink(parts, token);
    return (await demandOpen(parts, link)).task;
  },
  async answer(token: string, request: RespondRequest) {
    const link = await demandLink(parts, token);
    const { tenant, run_id: runId, step_id: stepId } = link;
    const { task } = await demandOpen(parts, link);
    const by = { user_id: link.for, name: 'One-time link' };
    const answer = answerTo(parts, task, { ...request, by });
    await parts.keepAnswer({ tenant, runId, stepId, answer, linkHash: parts.hash(token) });
  },
});

async function demandLink(parts: TaskParts, token: string): Promise<TaskLink> {
  const link = await parts.readLink(parts.hash(token));
  if (!link) throw notFound('Task');
  return link;
}

async function demandOpen(parts: TaskParts, { tenant, run_id, step_id }: Where): Promise<OpenStep> {
  const step = await parts.readStep(tenant, run_id, step_id);
  if (!step?.task) throw notFound('Task');
  if (step.status !== 'waiting' || step.answer) throw conflict('This task has already been answered');
  if (step.task.expires_at <= parts.now()) throw conflict('This task has expired');
  return { ...step, task: step.task };
}

export type Tasks = ReturnType<typeof createTasks>;
export type Links = ReturnType<typeof createLinks>;

export const mayAnswer = (actor: UserActor, { assignees }: HumanTask) =>
  assignees.length === 0 || assignees.includes(actor.userId) || actor.role === 'ROLE_ORG_ADMIN';

type Given = RespondRequest & Pick<HumanAnswer, 'by'>;

function answerTo({ now }: TaskParts, task: HumanTask, { action, values, by }: Given): HumanAnswer {
  if (!task.actions.some(({ id }) => id === action))
    throw invalidField(['body', 'action'], `must be one of ${task.actions.map(({ id }) => id).join(', ')}`);
  const problem = task.form_schema && schemaMisfit(task.form_schema, values);
  if (problem) throw invalidField(['body', 'values'], problem);
  const text = JSON.stringify(values);
  if (text.length > LONGEST_VALUES) throw invalidField(['body', 'values'], 'longer than 64 KB');
  return { action, values: text, by, at: now() };
}

const LONGEST_VALUES = 65_536;
