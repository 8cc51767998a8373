import type { Connection } from '../../shared/connections/connection.ts';
import type { Viewer } from '../../shared/connections/grant.ts';
import { tenantOf } from '../../shared/identity/actor.ts';
import { PLATFORM } from '../../shared/models/model-row.ts';
import { modelNotFound, type Entry, type Models } from '../../shared/models/models.ts';
import { listedFacts, shownFacts } from './facts.ts';
import { imageAnswer } from './image.ts';
import type { ModelsStore } from './store.ts';
import { listItem, modelView, tagsOf } from './view.ts';

export interface ListingParts {
  readonly models: Models;
  readonly store: ModelsStore;
  /** What a runtime says about one of its models; undefined when it does not say. */
  readonly show: (connection: Connection, model: string) => Promise<unknown>;
}

const PAGE_SIZE = 30;

export interface DescribedQuery {
  readonly page: number;
  readonly query: string;
  readonly tag: string;
  readonly view_option: 'created' | 'shared' | '';
}

export const createListing = ({ models, store, show }: ListingParts) => ({
  async list(viewer: Viewer, isForced: boolean) {
    const [entries, order] = await Promise.all([models.list(viewer, { isForced }), models.connections()]);
    const data = entries.map((entry) => listItem(entry, { order }));
    return { object: 'list' as const, data: data.toSorted((a, b) => a.name.localeCompare(b.name)) };
  },
  async base(isForced: boolean) {
    const [base, order] = await Promise.all([models.base({ isForced }), models.connections()]);
    const entries = base.map((one) => ({ base: one, row: undefined, hosts: one.kind === 'function' ? [] : one.hosts }));
    return { object: 'list' as const, data: entries.map((entry) => listItem(entry, { order })) };
  },
  async retrieve(viewer: Viewer, id: string) {
    const [entry, order] = await Promise.all([demandEntry(models, viewer, id), models.connections()]);
    return listItem(entry, { order });
  },
  async get(viewer: Viewer, id: string) {
    const entry = await demandEntry(models, viewer, id);
    const [host] = entry.hosts;
    const asked = host && entry.base.kind === 'runtime' ? await show(host, entry.base.upstreamId) : undefined;
    return modelView(entry, viewer, { ...listedFacts(entry.base), ...shownFacts(asked) });
  },
  async image(viewer: Viewer, id: string) {
    const { row } = await demandEntry(models, viewer, id);
    const tenant = row?.tenant ?? (viewer.kind === 'user' ? tenantOf(viewer) : PLATFORM);
    return imageAnswer(await store.readImage({ tenant, id }));
  },
  described: async (viewer: Viewer, query: DescribedQuery) => pageOf(await models.list(viewer), viewer, query),
  tags: async (viewer: Viewer) =>
    [...new Set((await models.list(viewer)).flatMap(({ hosts, row }) => tagsOf(hosts, row)))].toSorted(),
});

function pageOf(entries: readonly Entry[], viewer: Viewer, { page, query, tag, view_option }: DescribedQuery) {
  const wanted = query.toLowerCase();
  const found = entries.filter(
    (entry) =>
      entry.row?.base_model_id &&
      `${entry.row.id} ${entry.row.name}`.toLowerCase().includes(wanted) &&
      (tag === '' || tagsOf([], entry.row).includes(tag)) &&
      (view_option === '' || (view_option === 'created') === isOwn(viewer, entry)),
  );
  const items = found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((entry) => modelView(entry, viewer));
  return { items, total: found.length };
}

async function demandEntry(models: Models, viewer: Viewer, id: string): Promise<Entry> {
  const entry = await models.find(viewer, id);
  if (!entry) throw modelNotFound();
  return entry;
}

const isOwn = (viewer: Viewer, { row }: Entry) =>
  row?.user_id === (viewer.kind === 'platform' ? viewer.adminId : viewer.userId);
