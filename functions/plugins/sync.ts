import { isDeepStrictEqual } from 'node:util';
import { AppError, invalid, invalidField, type Problem } from '../../shared/errors.ts';
import type { OperatorActor } from '../../shared/identity/actor.ts';
import type { Kind } from '../../shared/plugins/definition.ts';
import type { PluginRow } from '../../shared/plugins/plugin.ts';
import { priorityOf } from '../../shared/plugins/priority.ts';
import type { PluginChange } from '../../shared/plugins/changes.ts';
import { checkValves } from '../../shared/plugins/valves.ts';
import type { SyncedPlugin } from './contract/plugin.ts';
import { digestOf, newRow, ownMeta } from './plugin-row.ts';
import type { Finding } from './plugin-valves.ts';
import type { RegistryParts } from './registry.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Makes the functions of this installation exactly those given: every module is loaded first, then all change or none. */
export const createSync =
  (kinds: readonly Kind[], parts: RegistryParts, { inspect }: Pick<Finding, 'inspect'>) =>
  async (actor: OperatorActor, given: readonly SyncedPlugin[]): Promise<void> => {
    demandDifferent(given);
    const before = await parts.load();
    const changes: PluginChange[] = [];
    for (const [index, one] of given.entries()) {
      const seen = before.get(one.id);
      if (seen && !kinds.includes(seen.kind)) throw new AppError('conflict', `${one.id} is a ${seen.kind} already`);
      const change = await planOne({ parts, inspect, actor }, one, seen).catch(at(index));
      if (change) changes.push(change);
    }
    const wanted = new Set(given.map(({ id }) => id));
    const removed = [...before.values()].filter(({ id, kind }) => kinds.includes(kind) && !wanted.has(id));
    await parts.commit(changes, removed);
  };

interface Planning extends Pick<Finding, 'inspect'> {
  readonly parts: RegistryParts;
  readonly actor: OperatorActor;
}

/** Undefined when everything is as it should be. */
async function planOne({ parts, inspect, actor }: Planning, given: SyncedPlugin, seen: PluginRow | undefined) {
  const isSameSource = seen?.digest === digestOf(given.content);
  const set = seen ? await parts.valves.open(seen) : {};
  const wanted = given.valves === undefined ? set : (given.valves ?? {});
  const isKnown = seen && isSameSource && (!seen.methods.includes('pipes') || isDeepStrictEqual(wanted, set));
  const described = isKnown ? seen : await inspect(given.content, wanted);
  if (seen && described.kind !== seen.kind)
    throw invalidField(['content'], `A ${seen.kind} cannot become a ${described.kind}`);
  const { definition, methods } = described;
  const valves = checkValves(definition.valves, known(wanted, definition.valves));
  const isSet = isDeepStrictEqual(valves, known(set, definition.valves));
  const birth = { uid: parts.newId(), user_id: actor.adminId, now: parts.now() };
  const base = seen ?? newRow({ ...given, meta: {}, access_grants: [] }, described, birth);
  const row: PluginRow = {
    ...base,
    ...fieldsOf(given, base),
    meta: given.meta ? ownMeta(given.meta, definition) : base.meta,
    definition,
    methods,
    digest: digestOf(given.content),
    sealed_valves: isSet ? base.sealed_valves : await parts.valves.close(base, valves),
    priority: priorityOf(definition, valves),
  };
  if (seen && isDeepStrictEqual(row, seen)) return undefined;
  if (!seen) return { row, source: given.content };
  const changed = { ...row, updated_at: parts.now(), revision: seen.revision + 1 };
  return { row: changed, seen, ...(!isSameSource && { source: given.content }) };
}

const fieldsOf = ({ name, access_grants, is_active, is_global }: SyncedPlugin, base: PluginRow) => ({
  name: name ?? base.name,
  access_grants: access_grants ?? base.access_grants,
  is_active: is_active ?? base.is_active,
  is_global: is_global ?? base.is_global,
});

/** A new version may have dropped a valve that is still set. */
const known = (set: Fields, declared: Fields) =>
  Object.fromEntries(Object.entries(set).filter(([name]) => name in declared));

function demandDifferent(given: readonly SyncedPlugin[]) {
  const twice = given.findIndex(({ id }, index) => given.findIndex((other) => other.id === id) !== index);
  if (twice !== -1) throw invalidField(['body', 'functions', twice, 'id'], 'Is there twice');
}

/** Says which of them is refused. */
const at =
  (index: number) =>
  (error: unknown): never => {
    if (!(error instanceof AppError) || !error.problems) throw error;
    const place = (loc: Problem['loc']) => ['body', 'functions', index, ...loc.filter((name) => name !== 'body')];
    throw invalid(error.problems.map((problem) => ({ ...problem, loc: place(problem.loc) })));
  };
