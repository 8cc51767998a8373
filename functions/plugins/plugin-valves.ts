import { AppError } from '../../shared/errors.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import type { PluginRow } from '../../shared/plugins/plugin.ts';
import { priorityOf } from '../../shared/plugins/priority.ts';
import { checkValves, specOf } from '../../shared/plugins/valves.ts';
import type { Described } from '../../shared/plugins/definition.ts';
import type { RegistryParts } from './registry.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface Finding {
  readonly demand: (id: string) => Promise<PluginRow>;
  /** One that users may know of. */
  readonly demandKnown: (actor: UserActor, id: string) => Promise<PluginRow>;
  readonly inspect: (source: string, valves: Fields) => Promise<Described>;
  readonly change: (id: string, to: (row: PluginRow) => Partial<PluginRow>) => Promise<unknown>;
}

/** What operators set for everyone, and users for themselves. */
export function createPluginValves({ valves, sourceOf }: RegistryParts, finding: Finding) {
  const { demand, demandKnown } = finding;
  return {
    valves: async (id: string) => valves.open(await demand(id)),
    valvesSpec: async (id: string) => specOf((await demand(id)).definition.valves),
    async setValves(id: string, given: Fields) {
      const row = await demand(id);
      const merged = merge(row.definition.valves, await valves.open(row), given);
      const sealed_valves = await valves.close(row, merged);
      // Which models a pipe has may depend on what was set.
      const described = row.methods.includes('pipes') ? await finding.inspect(await sourceOf(row), merged) : undefined;
      const { definition } = described ?? row;
      const priority = priorityOf(definition, merged);
      await finding.change(id, () => ({ sealed_valves, priority, ...(described && { definition }) }));
      return merged;
    },
    userValves: async (actor: UserActor, id: string) => valves.openUser(actor.userId, await demandKnown(actor, id)),
    async userValvesSpec(actor: UserActor, id: string) {
      const { is_active, definition } = await demandKnown(actor, id);
      return is_active ? specOf(definition.userValves) : null;
    },
    async setUserValves(actor: UserActor, id: string, given: Fields) {
      const row = await demandKnown(actor, id);
      if (!row.is_active) throw new AppError('invalid_request', 'The function is switched off');
      const merged = merge(row.definition.userValves, await valves.openUser(actor.userId, row), given);
      await valves.saveUser(actor.userId, row, merged);
      return merged;
    },
  };
}

/** A new version of a plugin may have dropped a valve that is still set. */
function merge(declared: Fields, set: Fields, given: Fields): Fields {
  const known = Object.entries(set).filter(([name]) => name in declared);
  return checkValves(declared, { ...Object.fromEntries(known), ...given });
}
