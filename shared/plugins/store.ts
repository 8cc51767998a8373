import * as z from 'zod';
import { parseJson } from '../llm/json-value.ts';
import { createFresh } from '../models/fresh.ts';
import { openTable, type Row } from '../store/table.ts';
import { systemClock } from '../time.ts';
import { PluginRow } from './plugin.ts';

/**
 * Rows of the table `settings`:
 *
 *   PLUGINS                  P#<id>         a plugin without its source, so that all of them are one small read
 *   PLUGIN_USER#<user>       V#<id>         what a user has set
 */
const settings = openTable('settings');
export const pluginKey = (id: string) => ({ pk: 'PLUGINS', sk: `P#${id}` });
const userKey = (userId: string, id: string) => ({ pk: `PLUGIN_USER#${userId}`, sk: `V#${id}` });

/** A completion needs them before its first byte goes out; a change is seen by other processes within these. */
export const plugins = createFresh(loadPlugins, { freshMs: 5000, staleMs: 15_000, now: systemClock });

/** The definition is kept as text: rows forget the order of names, which is the order in which models are told of tools. */
export const pack = (row: PluginRow) => ({ ...pluginKey(row.id), ...row, definition: JSON.stringify(row.definition) });
const unpack = (row: Row): PluginRow => PluginRow.parse({ ...row, definition: parseJson(String(row['definition'])) });

export const readPlugins = () => plugins.get();

/** As they are now, not as this process knows them. */
export async function loadPlugins(): Promise<ReadonlyMap<string, PluginRow>> {
  const rows = await Array.fromAsync(settings.walk({ pk: 'PLUGINS' }));
  return new Map(rows.map(unpack).map((row) => [row.id, row]));
}

export async function readPlugin(id: string): Promise<PluginRow | undefined> {
  const row = await settings.get(pluginKey(id));
  return row && unpack(row);
}

const UserValves = z.object({ uid: z.string(), sealed: z.string() });

/** Undefined also when they were set for another plugin of the same id. */
export async function readUserValves(userId: string, { id, uid }: PluginRow): Promise<string | undefined> {
  const found = UserValves.safeParse(await settings.get(userKey(userId, id)));
  return found.success && found.data.uid === uid ? found.data.sealed : undefined;
}

export const writeUserValves = (userId: string, { id, uid }: PluginRow, sealed: string) =>
  settings.put({ ...userKey(userId, id), uid, sealed });
