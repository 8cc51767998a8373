import type { Handlers } from '../../shared/http/route.ts';
import { tenantOf } from '../../shared/identity/actor.ts';
import type { ApiParts } from './api.ts';
import type { Done } from './changing.ts';
import { isReviewer } from './review.ts';
import type { reviewRoutes, snapshotRoutes } from './version-routes.ts';
import { snapshotView, workflowView } from './views.ts';

export function reviewHandlers({ changing, publishing, lists, validate }: ApiParts): Handlers<typeof reviewRoutes> {
  const show = (done: Done) => workflowView(done, validate);
  const approve: Handlers<typeof reviewRoutes>['approve'] = async ({ actor, params, body }) => {
    const done = await publishing.approve(actor, params.id, body);
    return { ...show(done), snapshot: madeSnapshot(done) };
  };
  return {
    stage: async ({ actor, params, body }) => show(await publishing.stage(actor, params.id, body)),
    withdraw: async ({ actor, params }) => show(await publishing.withdraw(actor, params.id)),
    approve,
    publish: approve,
    reject: async ({ actor, params, body }) => show(await publishing.reject(actor, params.id, body.notes)),
    unpublish: async ({ actor, params }) => show(await publishing.unpublish(actor, params.id)),
    async reviews({ actor, params, query }) {
      const { workflow } = await changing.load(actor, params.id);
      return lists.reviews(workflow, query);
    },
    async reviewInbox({ actor, query }) {
      const page = await lists.staged(tenantOf(actor), query, (row) => isReviewer(actor, row));
      return { ...page, data: page.data.flatMap((row) => (row.review ? [{ workflow: row, review: row.review }] : [])) };
    },
  };
}

export function snapshotHandlers({ changing, versions, lists, validate }: ApiParts): Handlers<typeof snapshotRoutes> {
  return {
    async versions({ actor, params, query }) {
      const { workflow } = await changing.load(actor, params.id);
      const page = await lists.versions(workflow, query);
      const data = page.data.map((version) => snapshotView(version, workflow));
      return { ...page, data, live_version_id: workflow.live_version?.version_id ?? null };
    },
    async version({ actor, params }) {
      const { workflow, version } = await versions.version(actor, params.id, params.version_id);
      return snapshotView(version, workflow);
    },
    diff: ({ actor, params }) => versions.diff(actor, params.id, params),
    async snapshot({ actor, params, body }) {
      const done = await versions.snapshot(actor, params.id, body.notes);
      return { ...madeSnapshot(done), graph: done.graph };
    },
    async rollback({ actor, params, body }) {
      const { done, target } = await versions.rollback(actor, params.id, body);
      const restored_from = snapshotView(target, done.workflow);
      return { workflow: workflowView(done, validate), saved_snapshot: madeSnapshot(done), restored_from };
    },
  };
}

function madeSnapshot({ workflow, version }: Done) {
  if (!version) throw new Error('The action was to make a snapshot and made none');
  return snapshotView(version, workflow);
}
