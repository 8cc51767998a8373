import { createApi, type Authenticate } from '../../shared/http/api.ts';
import type { Handlers } from '../../shared/http/route.ts';
import { reply } from '../../shared/http/route.ts';
import { tenantOf } from '../../shared/identity/actor.ts';
import type { Graph } from '../../shared/workflow/graph.ts';
import { nodeKinds } from '../../shared/workflow/kinds/table.ts';
import type { Verdict } from '../../shared/workflow/problem.ts';
import { demandStorable } from '../../shared/workflow/size.ts';
import type { Catalogs } from './catalogs.ts';
import type { catalogRoutes } from './catalog-routes.ts';
import { mergeGraph } from './changes.ts';
import type { WorkflowLists } from './list-store.ts';
import type { Publishing } from './publishing.ts';
import { routes } from './routes.ts';
import type { Changing, Done } from './changing.ts';
import { revisionIn, type Workflows } from './service.ts';
import type { Spaces } from './spaces.ts';
import { reviewHandlers, snapshotHandlers } from './version-api.ts';
import type { Versions } from './versions.ts';
import { workflowView } from './views.ts';
import type { workflowRoutes } from './workflow-routes.ts';

export interface ApiParts {
  readonly workflows: Workflows;
  readonly changing: Changing;
  readonly publishing: Publishing;
  readonly versions: Versions;
  readonly lists: WorkflowLists;
  readonly catalogs: Catalogs;
  readonly spaces: Spaces;
  readonly validate: (graph: Graph) => Verdict;
}

export const workflowsApi = (parts: ApiParts, authenticate: Authenticate) =>
  createApi(
    routes,
    { ...workflowHandlers(parts), ...reviewHandlers(parts), ...snapshotHandlers(parts), ...contextHandlers(parts) },
    authenticate,
  );

function workflowHandlers({ workflows, changing, lists, validate }: ApiParts): Handlers<typeof workflowRoutes> {
  const show = (done: Done) => workflowView(done, validate);
  const edit: Handlers<typeof workflowRoutes>['replace'] = async ({ actor, params, body, request }) => {
    const revision = revisionIn(request.headers.get('if-match'));
    const done = await workflows.edit(actor, params.id, { input: body, revision });
    return reply(show(done), { headers: { etag: `"${done.workflow.revision}"` } });
  };
  return {
    create: async ({ actor, body }) => show(await workflows.create(actor, body)),
    list: ({ actor, query }) => lists.workflows(tenantOf(actor), query),
    nodeKinds: () => ({ data: nodeKinds() }),
    async get({ actor, params }) {
      const draft = await changing.load(actor, params.id);
      return reply(workflowView(draft, validate), { headers: { etag: `"${draft.workflow.revision}"` } });
    },
    replace: edit,
    update: edit,
    remove: ({ actor, params }) => workflows.remove(actor, params.id),
    duplicate: async ({ actor, params }) => show(await workflows.duplicate(actor, params.id)),
    discardDraft: async ({ actor, params }) => show(await workflows.discardDraft(actor, params.id)),
    async validate({ actor, params, body }) {
      if (body.graph) demandStorable(body.graph);
      const { graph } = await changing.load(actor, params.id);
      return validate(mergeGraph(graph, body));
    },
    pause: async ({ actor, params }) => show(await workflows.setPaused(actor, params.id, true)),
    resume: async ({ actor, params }) => show(await workflows.setPaused(actor, params.id, false)),
    archive: async ({ actor, params }) => show(await workflows.archive(actor, params.id)),
    unarchive: async ({ actor, params }) => show(await workflows.unarchive(actor, params.id)),
  };
}

const contextHandlers = ({ catalogs, spaces }: ApiParts): Handlers<typeof catalogRoutes> => ({
  createCatalog: ({ actor, body }) => catalogs.create(actor, body),
  listCatalogs: ({ actor, query }) => catalogs.list(actor, query),
  getCatalog: ({ actor, params }) => catalogs.get(actor, params.id),
  updateCatalog: ({ actor, params, body }) => catalogs.update(actor, params.id, body),
  removeCatalog: ({ actor, params }) => catalogs.remove(actor, params.id),
  createSpace: ({ actor, body }) => spaces.create(actor, body),
  listSpaces: ({ actor, query }) => spaces.list(actor, query),
  getSpace: ({ actor, params }) => spaces.get(actor, params.id),
  updateSpace: ({ actor, params, body }) => spaces.update(actor, params.id, body),
  removeSpace: ({ actor, params }) => spaces.remove(actor, params.id),
});
