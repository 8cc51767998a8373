import { createApi, type Authenticate } from '../../shared/http/api.ts';
import type { Context, Handlers } from '../../shared/http/route.ts';
import { demandWebhook, type TriggerChanges } from './changes.ts';
import { demandCron, nextRuns } from './cron.ts';
import { receiveWebhook, type ReceiveParts } from './receive.ts';
import { redeliver, type RedeliveryParts } from './redelivery.ts';
import { routes } from './routes.ts';
import type { Made, Triggers } from './service.ts';
import type { TriggerStore } from './store.ts';
import { triggerView } from './views.ts';

interface Parts extends ReceiveParts, RedeliveryParts {
  readonly triggers: Triggers;
  readonly changes: TriggerChanges;
  readonly store: TriggerStore;
  readonly svcUrl: string;
}

type All = Handlers<typeof routes>;
type Making = 'createEvent' | 'createCron' | 'createWebhook' | 'previewCron' | 'receive' | 'receivePut';

export const triggersApi = (parts: Parts, authenticate: Authenticate) =>
  createApi(routes, { ...making(parts), ...tending(parts) }, authenticate);

const shower = ({ svcUrl, now }: Parts) => {
  return ({ trigger, warnings, secret }: Made) => triggerView(trigger, { svcUrl, now: now(), warnings, secret });
};

function making(parts: Parts): Pick<All, Making> {
  const { triggers, now } = parts;
  const show = shower(parts);
  const receive = ({ params, request, body }: Context<typeof routes.receive>) =>
    receiveWebhook(parts, params.hook_id, { request, bytes: body });
  return {
    createEvent: async ({ actor, params, body }) => show(await triggers.event(actor, params.workflow_id, body)),
    createCron: async ({ actor, params, body }) => show(await triggers.cron(actor, params.workflow_id, body)),
    createWebhook: async ({ actor, params, body }) => show(await triggers.webhook(actor, params.workflow_id, body)),
    previewCron({ query }) {
      demandCron(query, now(), 'query');
      return { next_runs: nextRuns(query, now(), 10) };
    },
    receive,
    receivePut: receive,
  };
}

function tending(parts: Parts): Omit<All, Making> {
  const { changes, store, requests, svcUrl, now } = parts;
  const show = shower(parts);
  return {
    async list({ actor, params, query }) {
      const found = await changes.list(actor, params.workflow_id);
      return {
        data: found.filter(({ type }) => !query.type || query.type === type).map((trigger) => show({ trigger })),
      };
    },
    async get({ actor, params }) {
      const trigger = await changes.demand(actor, params);
      const lastRefusal = trigger.type === 'webhook' ? await requests.lastRefusal(trigger.hook_id) : undefined;
      return triggerView(trigger, { svcUrl, now: now(), lastRefusal });
    },
    update: async ({ actor, params, body }) => show(await changes.update(actor, params, body)),
    remove: ({ actor, params }) => changes.remove(actor, params),
    pause: async ({ actor, params }) => show(await changes.update(actor, params, { enabled: false })),
    resume: async ({ actor, params }) => show(await changes.update(actor, params, { enabled: true })),
    rotateSecret: async ({ actor, params, body }) => show(await changes.rotateSecret(actor, params, body)),
    async deliveries({ actor, params, query }) {
      return store.deliveries(await changes.demand(actor, params), query);
    },
    async redeliver({ actor, params }) {
      const trigger = await changes.demand(actor, params);
      return redeliver(parts, actor, { trigger, eventId: params.event_id });
    },
    async requests({ actor, params, query }) {
      const trigger = await changes.demand(actor, params);
      return requests.list(demandWebhook(trigger).hook_id, query);
    },
  };
}
