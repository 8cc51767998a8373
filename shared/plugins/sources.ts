import type { PluginRow } from './plugin.ts';
import { findSource, readSource } from './source-store.ts';
import { readPlugin } from './store.ts';

const REMEMBERED = 64;

/** Sources never change under their digest, so each is read once per process. */
export function createSources(): (plugin: PluginRow) => Promise<string> {
  const known = new Map<string, Promise<string>>();
  return (plugin) => {
    const name = `${plugin.id} ${plugin.digest}`;
    const found = known.get(name);
    if (found) return found;
    if (known.size >= REMEMBERED) known.clear();
    const reading = readOrCurrent(plugin);
    known.set(name, reading);
    reading.catch(() => known.delete(name));
    return reading;
  };
}

/** A reply may last longer than sources are kept; it goes on with the plugin as it is by then. */
async function readOrCurrent(plugin: PluginRow): Promise<string> {
  return (await findSource(plugin)) ?? readSource((await readPlugin(plugin.id)) ?? plugin);
}
