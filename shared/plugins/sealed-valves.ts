import { isObject, parseJson } from '../llm/json-value.ts';
import type { Seal } from '../seal/seal.ts';
import type { PluginRow } from './plugin.ts';
import { readUserValves, writeUserValves } from './store.ts';
import { defaultsOf } from './valves.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Valves hold keys and tokens as often as not, so all of them lie sealed. */
export interface SealedValves {
  close(plugin: PluginRow, valves: Fields): Promise<string>;
  /** As set, without defaults. */
  open(plugin: PluginRow): Promise<Fields>;
  openUser(userId: string, plugin: PluginRow): Promise<Fields>;
  saveUser(userId: string, plugin: PluginRow, valves: Fields): Promise<void>;
  forCall(plugin: PluginRow, userId: string | undefined): Promise<CallValves>;
}

/** Valves as a call of the plugin sees them. */
export interface CallValves {
  readonly valves: Fields;
  readonly user: Fields;
  /** What was set, wherever it is a text: never to be seen in a log. */
  readonly secrets: readonly string[];
}

const REMEMBERED = 1000;

export function createSealedValves(seal: Seal): SealedValves {
  const opened = new Map<string, Promise<Fields>>();
  const contextOf = ({ id }: PluginRow, tenant = 'platform') => ({ tenant, field: `plugin:${id}:valves` });
  // Each opening is a call to the key service, so it happens once per process.
  const openOnce = (sealed: string, context: { tenant: string; field: string }) => {
    const known = opened.get(sealed);
    if (known) return known;
    if (opened.size >= REMEMBERED) opened.clear();
    const opening = seal.open(sealed, context).then(toFields);
    opened.set(sealed, opening);
    opening.catch(() => opened.delete(sealed));
    return opening;
  };
  const open: SealedValves['open'] = async (plugin) =>
    plugin.sealed_valves === null ? {} : openOnce(plugin.sealed_valves, contextOf(plugin));
  const openUser: SealedValves['openUser'] = async (userId, plugin) => {
    if (Object.keys(plugin.definition.userValves).length === 0) return {};
    const sealed = await readUserValves(userId, plugin);
    return sealed === undefined ? {} : openOnce(sealed, contextOf(plugin, `user:${userId}`));
  };
  return {
    open,
    openUser,
    close: (plugin, valves) => seal.close(JSON.stringify(valves), contextOf(plugin)),
    async saveUser(userId, plugin, valves) {
      const sealed = await seal.close(JSON.stringify(valves), contextOf(plugin, `user:${userId}`));
      await writeUserValves(userId, plugin, sealed);
    },
    async forCall(plugin, userId) {
      const [valves, user] = await Promise.all([open(plugin), userId === undefined ? {} : openUser(userId, plugin)]);
      const { definition } = plugin;
      return {
        valves: { ...defaultsOf(definition.valves), ...valves },
        user: { ...defaultsOf(definition.userValves), ...user },
        secrets: textsIn([valves, user]),
      };
    },
  };
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

function toFields(text: string): Fields {
  const value = parseJson(text);
  return isObject(value) ? value : {};
}
