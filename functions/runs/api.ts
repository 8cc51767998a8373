import { createApi, type Authenticate } from '../../shared/http/api.ts';
import type { Handlers } from '../../shared/http/route.ts';
import { eventStream } from '../../shared/http/streamed.ts';
import { notFound } from '../../shared/errors.ts';
import { tenantOf } from '../../shared/identity/actor.ts';
import type { Spill } from '../../shared/store/spill.ts';
import type { Bulk } from './bulk.ts';
import { followRun, type FollowParts } from './follow.ts';
import type { Reads } from './read-store.ts';
import type { Replays } from './replays.ts';
import { routes } from './routes.ts';
import { keyIn, type Runs } from './service.ts';
import { formValues, taskPage, thanksPage } from './task-page.ts';
import { mayAnswer, type Links, type Tasks } from './tasks.ts';
import { runView, statsView, stepView, taskView, wholeStepView } from './views.ts';

export interface ApiParts {
  readonly runs: Runs;
  readonly replays: Replays;
  readonly tasks: Tasks;
  readonly links: Links;
  readonly bulk: Bulk;
  readonly reads: Reads;
  readonly spill: Spill;
  readonly follow: (tenant: string, runId: string) => FollowParts;
  readonly now: () => number;
}

type RunHandlers = Handlers<typeof routes>;

export const runsApi = (parts: ApiParts, authenticate: Authenticate) =>
  createApi(routes, { ...startHandlers(parts), ...readHandlers(parts), ...taskHandlers(parts) }, authenticate);

const IDEMPOTENCY = 'idempotency-key';

function startHandlers({ runs, replays, bulk }: ApiParts): Pick<RunHandlers, 'start' | 'replay' | 'cancel' | 'bulk'> {
  return {
    start: ({ actor, params, body, request }) =>
      runs.start(actor, params.id, { request: body, key: keyIn(request.headers.get(IDEMPOTENCY)) }),
    cancel: ({ actor, params }) => runs.cancel(actor, params.id, params.run_id),
    async replay({ actor, params, body, request }) {
      const run = await runs.demandRun(actor, params.id, params.run_id);
      return replays.replay(actor, run, { request: body, key: keyIn(request.headers.get(IDEMPOTENCY)) });
    },
    bulk: ({ actor, body, request }) => bulk(actor, body, keyIn(request.headers.get(IDEMPOTENCY))),
  };
}

const HOUR_MS = 3_600_000;
const COUNTED_RUNS = 200;

type Reading = 'list' | 'listAll' | 'get' | 'steps' | 'step' | 'follow' | 'stats';

function readHandlers({ runs, reads, spill, follow, now }: ApiParts): Pick<RunHandlers, Reading> {
  return {
    async list({ actor, params, query }) {
      const { tenant, id } = await runs.demandWorkflow(actor, params.id);
      return reads.runs({ tenant, workflowId: id }, query);
    },
    listAll: ({ actor, query }) => reads.runs({ tenant: tenantOf(actor) }, query),
    async get({ actor, params }) {
      const whole = await reads.wholeRun(tenantOf(actor), params.run_id);
      if (!whole || whole.run.workflow_id !== params.id) throw notFound('Run');
      return runView(spill, whole);
    },
    async steps({ actor, params, query }) {
      const { tenant, run_id } = await runs.demandRun(actor, params.id, params.run_id);
      const page = await reads.steps(tenant, run_id, query);
      return { ...page, data: page.data.map(stepView) };
    },
    async step({ actor, params }) {
      const { tenant, run_id } = await runs.demandRun(actor, params.id, params.run_id);
      const step = await reads.step(tenant, run_id, params.step_id);
      if (!step) throw notFound('Step');
      const messages = await reads.messages({ tenant, runId: run_id }, step.step_id);
      return { ...(await wholeStepView(spill, step)), messages };
    },
    async follow({ actor, params, request }) {
      const { tenant, run_id } = await runs.demandRun(actor, params.id, params.run_id);
      const last = request.headers.get('last-event-id');
      return eventStream((sink) => followRun(follow(tenant, run_id), last, sink));
    },
    async stats({ actor, params, query }) {
      const { tenant, id } = await runs.demandWorkflow(actor, params.id);
      const windowMs = query.hours * HOUR_MS;
      const page = await reads.runs({ tenant, workflowId: id }, { since: now() - windowMs, limit: COUNTED_RUNS });
      return statsView(page.data, { windowMs, complete: page.next_cursor === null });
    },
  };
}

type Answering = 'respond' | 'link' | 'tasks' | 'publicTask' | 'publicAnswer' | 'taskPage' | 'taskPageAnswer';

function taskHandlers({ runs, tasks, links, reads }: ApiParts): Pick<RunHandlers, Answering> {
  return {
    async respond({ actor, params, body }) {
      const run = await runs.demandRun(actor, params.id, params.run_id);
      return stepView(await tasks.respond(actor, run, { stepId: params.step_id, request: body }));
    },
    async link({ actor, params }) {
      const run = await runs.demandRun(actor, params.id, params.run_id);
      return tasks.createLink(actor, run, params.step_id);
    },
    async tasks({ actor, query }) {
      const page = await reads.tasks(tenantOf(actor), query, ({ task }) => task !== null && mayAnswer(actor, task));
      return { ...page, data: page.data.map(taskView) };
    },
    publicTask: ({ params }) => links.task(params.token),
    async publicAnswer({ params, body }) {
      await links.answer(params.token, body);
      return { status: 'answered' };
    },
    taskPage: async ({ params }) => taskPage(await links.task(params.token)),
    async taskPageAnswer({ params, body }) {
      const { form_schema } = await links.task(params.token);
      await links.answer(params.token, { action: body.action, values: formValues(body, form_schema) });
      return thanksPage();
    },
  };
}
