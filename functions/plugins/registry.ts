import { createHash } from 'node:crypto';
import { isGranted, type Viewer } from '../../shared/connections/grant.ts';
import { AppError, invalidField, notFound } from '../../shared/errors.ts';
import type { OperatorActor, UserActor } from '../../shared/identity/actor.ts';
import type { Described, Kind } from '../../shared/plugins/definition.ts';
import type { LogEntry } from '../../shared/plugins/logs.ts';
import type { PluginRow } from '../../shared/plugins/plugin.ts';
import type { SealedValves } from '../../shared/plugins/sealed-valves.ts';
import { checkValves, specOf } from '../../shared/plugins/valves.ts';
import { toSeconds, type Clock, type Millis } from '../../shared/time.ts';
import type { NewPlugin, PluginChange, PluginView } from './contract/registry.ts';

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

/** Whether users may use it at all: functions when they are on, tools when they are granted. */
const isUsable = (row: PluginRow, viewer: UserActor) =>
  row.is_active && (row.kind !== 'tool' || isGranted(row.access_grants, viewer));

/** Uploaded plugins of some kinds. Operators manage them; users see what they may use. */
export function createRegistry(kinds: readonly Kind[], parts: RegistryParts) {
  const { now, valves } = parts;
  const demand = async (id: string) => {
    const row = await parts.read(id);
    if (!row || !kinds.includes(row.kind)) throw notFound('Plugin');
    return row;
  };
  const demandUsable = async (actor: UserActor, id: string) => {
    const row = await demand(id);
    if (!isUsable(row, actor)) throw notFound('Plugin');
    return row;
  };
  const inspect = async (source: string, set: Fields) => {
    const described = await parts.inspect(source, set);
    if (!kinds.includes(described.kind))
      throw invalidField(['body', 'content'], `This is a ${described.kind}; here belongs: ${kinds.join(', ')}`);
    return described;
  };
  const change = async (id: string, to: (row: PluginRow) => Partial<PluginRow>, source?: string) => {
    const seen = await demand(id);
    const row = { ...seen, ...to(seen), updated_at: now(), revision: seen.revision + 1 };
    await parts.replace(row, seen, source);
    return toView(row);
  };
  return {
    async list(viewer: Viewer) {
      const rows = [...(await parts.all()).values()].filter(({ kind }) => kinds.includes(kind));
      const visible = viewer.kind === 'platform' ? rows : rows.filter((row) => isUsable(row, viewer));
      return visible.map((row) => (viewer.kind === 'platform' ? toView(row) : { ...toView(row), access_grants: [] }));
    },
    async export() {
      const rows = [...(await parts.all()).values()].filter(({ kind }) => kinds.includes(kind));
      return Promise.all(rows.map(async (row) => ({ ...toView(row), content: await parts.sourceOf(row) })));
    },
    async create(actor: OperatorActor, { id, content, ...given }: NewPlugin) {
      const described = await inspect(content, {});
      const row = newRow({ id, content, ...given }, described, {
        uid: parts.newId(),
        user_id: actor.adminId,
        now: now(),
      });
      await parts.insert(row, content);
      return { ...toView(row), content };
    },
    async get(id: string) {
      const row = await demand(id);
      return { ...toView(row), content: await parts.sourceOf(row) };
    },
    async update(id: string, { content, revision, ...given }: PluginChange) {
      const described = content === undefined ? undefined : await inspect(content, await valves.open(await demand(id)));
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
      return parts.remove(id);
    },
    toggle: (id: string) => change(id, (row) => ({ is_active: !row.is_active })),
    toggleGlobal: (id: string) => change(id, (row) => ({ is_global: !row.is_global })),
    setAccess: (id: string, access_grants: PluginRow['access_grants']) => change(id, () => ({ access_grants })),
    valves: async (id: string) => valves.open(await demand(id)),
    valvesSpec: async (id: string) => specOf((await demand(id)).definition.valves),
    async setValves(id: string, given: Fields) {
      const row = await demand(id);
      const merged = checkValves(row.definition.valves, {
        ...knownOf(row.definition.valves, await valves.open(row)),
        ...given,
      });
      const sealed_valves = await valves.close(row, merged);
      // Which models a pipe has may depend on what was set.
      const described = row.methods.includes('pipes') ? await inspect(await parts.sourceOf(row), merged) : undefined;
      await change(id, () => ({ sealed_valves, ...(described && { definition: described.definition }) }));
      return merged;
    },
    userValves: async (actor: UserActor, id: string) => valves.openUser(actor.userId, await demandUsable(actor, id)),
    userValvesSpec: async (actor: UserActor, id: string) =>
      specOf((await demandUsable(actor, id)).definition.userValves),
    async setUserValves(actor: UserActor, id: string, given: Fields) {
      const row = await demandUsable(actor, id);
      const declared = row.definition.userValves;
      const merged = checkValves(declared, {
        ...knownOf(declared, await valves.openUser(actor.userId, row)),
        ...given,
      });
      await valves.saveUser(actor.userId, row, merged);
      return merged;
    },
    async logs(id: string, limit: number) {
      await demand(id);
      return parts.readLog(id, limit);
    },
  };
}

export type Registry = ReturnType<typeof createRegistry>;

const digestOf = (source: string) => createHash('sha256').update(source).digest('hex').slice(0, 32);

/** A new version of a plugin may have dropped a valve that is still set. */
const knownOf = (declared: Fields, set: Fields): Fields =>
  Object.fromEntries(Object.entries(set).filter(([name]) => name in declared));

interface Birth {
  readonly uid: string;
  readonly user_id: string;
  readonly now: Millis;
}

/** Functions change what everybody gets, so they start switched off; tools wait for a grant instead. */
const newRow = (
  given: NewPlugin,
  { kind, definition, methods }: Described,
  { uid, user_id, now }: Birth,
): PluginRow => ({
  id: given.id,
  uid,
  kind,
  name: given.name ?? definition.name ?? given.id,
  user_id,
  meta: given.meta,
  definition,
  methods: [...methods],
  digest: digestOf(given.content),
  is_active: kind === 'tool',
  is_global: false,
  access_grants: given.access_grants,
  sealed_valves: null,
  created_at: now,
  updated_at: now,
  revision: 1,
});

export function toView(row: PluginRow): PluginView {
  const { definition, meta, created_at, updated_at } = row;
  const { name, version, icon, toggle, description } = definition;
  return {
    id: row.id,
    user_id: row.user_id,
    name: row.name,
    type: row.kind,
    meta: { description, ...meta, manifest: { title: name ?? row.name, version, icon_url: icon }, toggle },
    is_active: row.is_active,
    is_global: row.is_global,
    access_grants: row.access_grants,
    specs: Object.entries(definition.tools ?? {}).map(([tool, spec]) => ({ name: tool, ...spec })),
    has_user_valves: Object.keys(definition.userValves).length > 0,
    revision: row.revision,
    created_at: toSeconds(created_at as Millis),
    updated_at: toSeconds(updated_at as Millis),
  };
}
