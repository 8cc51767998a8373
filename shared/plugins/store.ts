import * as z from 'zod';
import { AppError } from '../errors.ts';
import { parseJson } from '../llm/json-value.ts';
import { createFresh } from '../models/fresh.ts';
import { orElse } from '../store/dynamodb.ts';
import { absent, when } from '../store/expression.ts';
import { createSpill, type Spilled } from '../store/spill.ts';
import { openTable, type Row } from '../store/table.ts';
import { systemClock } from '../time.ts';
import { PluginRow } from './plugin.ts';

/**
 * Rows of the table `settings`:
 *
 *   PLUGINS                  P#<id>         a plugin without its source, so that all of them are one small read
 *   PLUGIN_SOURCE#<id>       <digest>       its source; never changed, so whoever still runs the one before finds it
 *   PLUGIN_USER#<user>       V#<id>         what a user has set
 */
const settings = openTable('settings');
const spill = createSpill();
const pluginKey = (id: string) => ({ pk: 'PLUGINS', sk: `P#${id}` });
const sourceKey = ({ id, digest }: Pick<PluginRow, 'id' | 'digest'>) => ({ pk: `PLUGIN_SOURCE#${id}`, sk: digest });
const userKey = (userId: string, id: string) => ({ pk: `PLUGIN_USER#${userId}`, sk: `V#${id}` });

/** A completion needs them before its first byte goes out; a change is seen by other processes within these. */
const plugins = createFresh(loadPlugins, { freshMs: 5000, staleMs: 15_000, now: systemClock });

/** The definition is kept as text: rows forget the order of names, which is the order in which models are told of tools. */
const pack = (row: PluginRow) => ({ ...pluginKey(row.id), ...row, definition: JSON.stringify(row.definition) });
const unpack = (row: Row): PluginRow => PluginRow.parse({ ...row, definition: parseJson(String(row['definition'])) });

export const readPlugins = () => plugins.get();

async function loadPlugins(): Promise<ReadonlyMap<string, PluginRow>> {
  const rows = await Array.fromAsync(settings.walk({ pk: 'PLUGINS' }));
  return new Map(rows.map(unpack).map((row) => [row.id, row]));
}

export async function readPlugin(id: string): Promise<PluginRow | undefined> {
  const row = await settings.get(pluginKey(id));
  return row && unpack(row);
}

/** The source first: a row never points to nothing. */
export async function insertPlugin(row: PluginRow, source: string): Promise<void> {
  const taken = () => new AppError('conflict', 'A plugin with this id exists already');
  await writeSource(row, source);
  await settings.put(pack(row), absent).catch(orElse(taken));
  plugins.forget();
}

export async function replacePlugin(row: PluginRow, seen: PluginRow, source?: string): Promise<void> {
  const changed = () => new AppError('stale_version', 'Somebody else has changed this plugin; load it again');
  if (source !== undefined) await writeSource(row, source);
  const isSame = when('#revision = :revision AND #uid = :uid', { revision: seen.revision, uid: seen.uid });
  await settings.put(pack(row), isSame).catch(orElse(changed));
  plugins.forget();
}

export async function removePlugin(id: string): Promise<boolean> {
  const before = await settings.delete(pluginKey(id));
  plugins.forget();
  for await (const row of settings.walk({ pk: `PLUGIN_SOURCE#${id}` })) {
    await spill.drop(Source.parse(row).source);
    await settings.delete({ pk: String(row['pk']), sk: String(row['sk']) });
  }
  return before !== undefined;
}

const Source = z.object({
  source: z.union([z.object({ inline: z.unknown() }), z.object({ object: z.string(), bytes: z.number() })]),
});

async function writeSource(row: PluginRow, text: string): Promise<void> {
  const source: Spilled = await spill.pack(`plugins/${row.id}/${row.digest}.json`, text);
  await settings.put({ ...sourceKey(row), source });
}

export async function readSource(row: Pick<PluginRow, 'id' | 'digest'>): Promise<string> {
  const found = Source.safeParse(await settings.get(sourceKey(row)));
  const source = found.success ? await spill.unpack(found.data.source) : undefined;
  if (typeof source !== 'string') throw new AppError('plugin_failed', `The source of ${row.id} is gone`);
  return source;
}

const UserValves = z.object({ uid: z.string(), sealed: z.string() });

/** Undefined also when they were set for another plugin of the same id. */
export async function readUserValves(userId: string, { id, uid }: PluginRow): Promise<string | undefined> {
  const found = UserValves.safeParse(await settings.get(userKey(userId, id)));
  return found.success && found.data.uid === uid ? found.data.sealed : undefined;
}

export const writeUserValves = (userId: string, { id, uid }: PluginRow, sealed: string) =>
  settings.put({ ...userKey(userId, id), uid, sealed });
