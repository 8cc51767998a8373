import { createHash } from 'node:crypto';
import { isGranted, type Viewer } from '../../shared/connections/grant.ts';
import { AppError, invalidField, notFound } from '../../shared/errors.ts';
import type { OperatorActor, UserActor } from '../../shared/identity/actor.ts';
import type { Described, Kind } from '../../shared/plugins/definition.ts';
import type { LogEntry } from '../../shared/plugins/logs.ts';
import type { PluginRow } from '../../shared/plugins/plugin.ts';
import type { SealedValves } from '../../shared/plugins/sealed-valves.ts';
import type { Clock, Millis } from '../../shared/time.ts';
import type { NewPlugin, PluginChange } from './contract/plugin.ts';
import { createPluginValves, type Finding } from './plugin-valves.ts';
import { toView } from './plugin-view.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface RegistryParts {
  readonly all: () => Promise<ReadonlyMap<string, PluginRow>>;
  readonly read: (id: string) => Promise<PluginRow | undefined>;
  readonly sourceOf: (row: PluginRow) => Promise<string>;
  readonly insert: (row: PluginRow, source: string) => Promise<void>;
  readonly replace: (row: PluginRow, seen: PluginRow, source?: string) => Promise<void>;
  readonly remove: (id: string) => Promise<boolean>;
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
    async demandUsable(actor, id) {
      const row = await demand(id);
      if (!isUsable(row, actor)) throw notFound('Plugin');
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
  return {
    async list(viewer: Viewer) {
      if (viewer.kind === 'platform') return (await rows()).map(toView);
      const usable = (await rows()).filter((row) => isUsable(row, viewer));
      return usable.map((row) => ({ ...toView(row), access_grants: [] }));
    },
    export: async () => Promise.all((await rows()).map(withSource)),
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
        return { ...given, ...described, ...(content !== undefined && { digest: digestOf(content) }) };
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

const digestOf = (source: string) => createHash('sha256').update(source).digest('hex').slice(0, 32);

interface Birth {
  readonly uid: string;
  readonly user_id: string;
  readonly now: Millis;
}

/** Functions change what everybody gets, so they start switched off; tools wait for a grant instead. */
const newRow = (given: NewPlugin, { kind, definition, methods }: Described, birth: Birth): PluginRow => ({
  id: given.id,
  uid: birth.uid,
  kind,
  name: given.name ?? definition.name ?? given.id,
  user_id: birth.user_id,
  meta: given.meta,
  definition,
  methods,
  digest: digestOf(given.content),
  is_active: kind === 'tool',
  is_global: false,
  access_grants: given.access_grants,
  sealed_valves: null,
  created_at: birth.now,
  updated_at: birth.now,
  revision: 1,
});
