import type { Connection } from '../../shared/connections/connection.ts';
import {
  insertConnection,
  readConnections,
  removeConnection,
  replaceConnection,
} from '../../shared/connections/store.ts';
import { forgetPlatform, forgetTenant } from '../../shared/models/directory.ts';
import { PLATFORM, type ModelRow } from '../../shared/models/model-row.ts';
import * as models from '../../shared/models/model-store.ts';

/** Every change is followed by forgetting, so that this process sees it at once. */
export const createModelsStore = () => ({
  read: models.readModel,
  readAll: models.readModels,
  readImage: models.readImage,
  async insert(model: ModelRow) {
    await models.insertModel(model);
    forgetTenant(model.tenant);
  },
  async replace(model: ModelRow, seenRevision: number) {
    await models.replaceModel(model, seenRevision);
    forgetTenant(model.tenant);
  },
  async remove(address: models.ModelAddress) {
    const isRemoved = await models.removeModel(address);
    forgetTenant(address.tenant);
    return isRemoved;
  },
  writeImage: models.writeImage,
  async removeAll() {
    for (const id of (await models.readModels(PLATFORM)).keys()) await models.removeModel({ tenant: PLATFORM, id });
    forgetPlatform();
  },
});

export const createConnectionsStore = () => ({
  read: async () => (await readConnections()).connections,
  async insert(connection: Connection) {
    await insertConnection(connection);
    forgetPlatform();
  },
  async replace(connection: Connection, seenRevision: number) {
    await replaceConnection(connection, seenRevision);
    forgetPlatform();
  },
  async remove(id: string) {
    await removeConnection(id);
    forgetPlatform();
  },
});

export type ModelsStore = ReturnType<typeof createModelsStore>;
export type ConnectionsStore = ReturnType<typeof createConnectionsStore>;
