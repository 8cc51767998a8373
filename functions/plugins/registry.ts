import { isGranted, type Viewer } from '../../shared/connections/grant.ts';
import { AppError, invalidField, notFound } from '../../shared/errors.ts';
import type { OperatorActor, UserActor } from '../../shared/identity/actor.ts';
import type { Described, Kind } from '../../shared/plugins/definition.ts';
import type { LogEntry } from '../../shared/plugins/logs.ts';
import type { PluginRow } from '../../shared/plugins/plugin.ts';
import { priorityOf } from '../../shared/plugins/priority.ts';
import type { SealedValves } from '../../shared/plugins/sealed-valves.ts';
import type { PluginChange as StoredChange } from '../../shared/plugins/changes.ts';
import type { Clock } from '../../shared/time.ts';
import type { NewPlugin, PluginChange, SyncedPlugin } from './contract/plugin.ts';
import { digestOf, newRow, ownMeta } from './plugin-row.ts';
import { createPluginValves, type Finding } from './plugin-valves.ts';
import { toView } from './plugin-view.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface RegistryParts {
  readonly all: () => Promise<ReadonlyMap<string, PluginRow>>;
  /** As they are now. */
  readonly load: () => Promise<ReadonlyMap<string, PluginRow>>;
  readonly read: (id: string) => Promise<PluginRow | undefined>;
  readonly sourceOf: (row: PluginRow) => Promise<string>;
  readonly insert: (row: PluginRow, source: string) => Promise<void>;
  readonly replace: (row: PluginRow, seen: PluginRow, source?: string) => Promise<void>;
  readonly remove: (id: string) => Promise<boolean>;
  /** All of it or nothing. */
  readonly commit: (changes: readonly StoredChange[], removed: readonly PluginRow[]) => Promise<void>;
  readonly readLog: (id: string, limit: number) => Promise<LogEntry[]>;
  /** Loads the module once, where it can do no harm. */
  readonly inspect: (source: string, valves: Fields) => Promise<Described>;
  readonly valves: SealedValves;
  readonly now: Clock;
  readonly newId: () => string;
}

/** Uploaded plugins of some kinds. Operators manage them; users see what they may use. */
export function createRegistry(kinds: readonly Kind[], parts: RegistryParts) {
  const finding = createFinding(kinds, parts);
  return {
    ...createLibrary(kinds, parts, finding),
    ...createChanges(parts, finding),
    ...createPluginValves(parts, finding),
  };
}

export type Registry = ReturnType<typeof createRegistry>;

/** Whether users may use it at all: functions when they are on, tools when they are granted. */
const isUsable = (row: PluginRow, viewer: UserActor) =>
  row.is_active && (row.kind !== 'tool' || isGranted(row.access_grants, viewer));

interface RegistryFinding extends Finding {
  readonly change: (
    id: string,
    to: (row: PluginRow) => Partial<PluginRow>,
    source?: string,
  ) => Promise<ReturnType<typeof toView>>;
}

function createFinding(kinds: readonly Kind[], parts: RegistryParts): RegistryFinding {
  const demand = async (id: string) => {
    const row = await parts.read(id);
    if (!row || !kinds.includes(row.kind)) throw notFound('Plugin');
    return row;
  };
  return {
    demand,
    async demandKnown(actor, id) {
      const row = await demand(id);
      if (row.kind === 'tool' && !isUsable(row, actor)) throw notFound('Plugin');
      return row;
    },
    async inspect(source, valves) {
      const described = await parts.inspect(source, valves);
      if (kinds.includes(described.kind)) return described;
      throw invalidField(['body', 'content'], `This is a ${described.kind}; here belongs: ${kinds.join(', ')}`);
    },
    async change(id, to, source) {
      const seen = await demand(id);
      const row = { ...seen, ...to(seen), updated_at: parts.now(), revision: seen.revision + 1 };
      await parts.replace(row, seen, source);
      return toView(row);
    },
  };
}

function createLibrary(kinds: readonly Kind[], parts: RegistryParts, { demand, inspect }: RegistryFinding) {
  const rows = async () => [...(await parts.all()).values()].filter(({ kind }) => kinds.includes(kind));
  const withSource = async (row: PluginRow) => ({ ...toView(row), content: await parts.sourceOf(row) });
  const withValves = async (row: PluginRow) => ({ ...(await withSource(row)), valves: await parts.valves.open(row) });
  const exported = async (hasValves: boolean) => Promise.all((await rows()).map(hasValves ? withValves : withSource));
  return {
    async list(viewer: Viewer) {
      if (viewer.kind === 'platform') return (await rows()).map(toView);
      const usable = (await rows()).filter((row) => isUsable(row, viewer));
      return usable.map((row) => ({ ...toView(row), access_grants: [] }));
    },
    export: exported,
    async sync(actor: OperatorActor, given: readonly SyncedPlugin[]) {
      const { createSync } = await import('./sync.ts');
      await createSync(kinds, parts, { inspect })(actor, given);
      return exported(true);
    },
    get: async (id: string) => withSource(await demand(id)),
    async create(actor: OperatorActor, given: NewPlugin) {
      const described = await inspect(given.content, {});
      const row = newRow(given, described, { uid: parts.newId(), user_id: actor.adminId, now: parts.now() });
      await parts.insert(row, given.content);
      return { ...toView(row), content: given.content };
    },
    async logs(id: string, limit: number) {
      await demand(id);
      return parts.readLog(id, limit);
    },
  };
}

function createChanges({ valves, remove }: RegistryParts, { demand, inspect, change }: RegistryFinding) {
  return {
    async update(id: string, { content, revision, ...given }: PluginChange) {
      const set = await valves.open(await demand(id));
      const described = content === undefined ? undefined : await inspect(content, set);
      const to = (row: PluginRow): Partial<PluginRow> => {
        if (revision !== undefined && revision !== row.revision)
          throw new AppError('stale_version', 'Somebody else has changed this plugin; load it again');
        if (described && described.kind !== row.kind)
          throw invalidField(['body', 'content'], `A ${row.kind} cannot become a ${described.kind}`);
        const { definition } = described ?? row;
        return {
          ...given,
          ...(given.meta && { meta: ownMeta(given.meta, definition) }),
          ...described,
          priority: priorityOf(definition, set),
          ...(content !== undefined && { digest: digestOf(content) }),
        };
      };
      return change(id, to, content);
    },
    async delete(id: string) {
      await demand(id);
      return remove(id);
    },
    toggle: (id: string) => change(id, (row) => ({ is_active: !row.is_active })),
    toggleGlobal: (id: string) => change(id, (row) => ({ is_global: !row.is_global })),
    setAccess: (id: string, access_grants: PluginRow['access_grants']) => change(id, () => ({ access_grants })),
  };
}
