import { changeList, readListRevision, type ListChange } from '../../shared/connections/list-change.ts';
import { readConnections } from '../../shared/connections/store.ts';
import { forgetPlatform } from '../../shared/models/directory.ts';

/** The change is followed by forgetting, so that this process sees it at once. */
export const createConfigurationStore = () => ({
  read: async () => (await readConnections()).connections,
  readRevision: readListRevision,
  async change(change: ListChange) {
    await changeList(change);
    forgetPlatform();
  },
});
