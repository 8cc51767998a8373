import { createApi, type Authenticate, type Endpoint } from '../../shared/http/api.ts';
import type { createConnectionService } from './connections.ts';
import { connectionRoutes } from './contract/connection.ts';
import { descriptionRoutes } from './contract/description.ts';
import { modelRoutes } from './contract/model.ts';
import type { createListing } from './listing.ts';
import type { createDescriptions } from './service.ts';
import { modelView } from './view.ts';

export interface ModelsApiParts {
  readonly listing: ReturnType<typeof createListing>;
  readonly descriptions: ReturnType<typeof createDescriptions>;
  readonly connections: ReturnType<typeof createConnectionService>;
}

export const modelsApi = (parts: ModelsApiParts, authenticate: Authenticate): Endpoint[] => [
  ...modelEndpoints(parts, authenticate),
  ...descriptionEndpoints(parts, authenticate),
  ...connectionEndpoints(parts, authenticate),
];

const modelEndpoints = ({ listing }: ModelsApiParts, authenticate: Authenticate) =>
  createApi(
    modelRoutes,
    {
      listModels: ({ actor, query }) => listing.list(actor, query.refresh),
      listModelsToo: ({ actor, query }) => listing.list(actor, query.refresh),
      listBaseModels: ({ query }) => listing.base(query.refresh),
      listBaseModelsToo: ({ query }) => listing.base(query.refresh),
      retrieveModel: ({ actor, params }) => listing.retrieve(actor, params.id),
      retrieveModelToo: ({ actor, params }) => listing.retrieve(actor, params.id),
      getModel: ({ actor, query }) => listing.get(actor, query.id),
      getModelImage: ({ actor, query }) => listing.image(actor, query.id),
      listDescribed: ({ actor, query }) => listing.described(actor, query),
      listTags: ({ actor }) => listing.tags(actor),
    },
    authenticate,
  );

const descriptionEndpoints = ({ descriptions }: ModelsApiParts, authenticate: Authenticate) =>
  createApi(
    descriptionRoutes,
    {
      createModel: async ({ actor, body }) => modelView(await descriptions.create(actor, body), actor),
      updateModel: async ({ actor, body }) => modelView(await descriptions.update(actor, body), actor),
      toggleModel: async ({ actor, query }) => modelView(await descriptions.toggle(actor, query.id), actor),
      updateAccess: async ({ actor, body }) => modelView(await descriptions.setAccess(actor, body), actor),
      deleteModel: ({ actor, body }) => descriptions.delete(actor, body.id),
      deleteModelToo: ({ actor, query }) => descriptions.delete(actor, query.id),
      deleteModels: () => descriptions.deleteAll(),
      exportModels: async ({ actor }) => (await descriptions.own(actor)).map((entry) => modelView(entry, actor)),
      importModels: ({ actor, body }) => descriptions.import(actor, body.models),
    },
    authenticate,
  );

const connectionEndpoints = ({ connections }: ModelsApiParts, authenticate: Authenticate) =>
  createApi(
    connectionRoutes,
    {
      listConnections: () => connections.list(),
      createConnection: ({ body }) => connections.create(body),
      verifyConnection: ({ body }) => connections.verify(body),
      getConnection: ({ params }) => connections.get(params.connectionId),
      changeConnection: ({ params, body }) => connections.change(params.connectionId, body),
      deleteConnection: ({ params }) => connections.delete(params.connectionId),
      verifySaved: ({ params }) => connections.verifySaved(params.connectionId),
    },
    authenticate,
  );
