import * as z from 'zod';
import { AppError } from '../errors.ts';
import { parseJson } from '../llm/json-value.ts';
import { createFresh } from '../models/fresh.ts';
import { ConditionFailed, orElse } from '../store/dynamodb.ts';
import { absent, present, when } from '../store/expression.ts';
import { openTable, type Row } from '../store/table.ts';
import { deleting, putting, transact } from '../store/transaction.ts';
import { systemClock } from '../time.ts';
import { PluginRow } from './plugin.ts';
import { changedRow, markChanged, writeSource } from './source-store.ts';

/**
 * Rows of the table `settings`:
 *
 *   PLUGINS                  P#<id>         a plugin without its source, so that all of them are one small read
 *   PLUGIN_USER#<user>       V#<id>         what a user has set
 */
const settings = openTable('settings');
const pluginKey = (id: string) => ({ pk: 'PLUGINS', sk: `P#${id}` });
const userKey = (userId: string, id: string) => ({ pk: `PLUGIN_USER#${userId}`, sk: `V#${id}` });

/** A completion needs them before its first byte goes out; a change is seen by other processes within these. */
const plugins = createFresh(loadPlugins, { freshMs: 5000, staleMs: 15_000, now: systemClock });

/** The definition is kept as text: rows forget the order of names, which is the order in which models are told of tools. */
const pack = (row: PluginRow) => ({ ...pluginKey(row.id), ...row, definition: JSON.stringify(row.definition) });
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

/** A change to one plugin. Without `seen` it must be new; the source is given when it is another one. */
export interface PluginChange {
  readonly row: PluginRow;
  readonly seen?: PluginRow;
  readonly source?: string;
}

export async function insertPlugin(row: PluginRow, source: string): Promise<void> {
  const taken = () => new AppError('conflict', 'A plugin with this id exists already');
  await writeSource(row, source, systemClock());
  await settings.put(pack(row), absent).catch(orElse(taken));
  plugins.forget();
}

/** The source first: a row never points to nothing. */
export async function replacePlugin(row: PluginRow, seen: PluginRow, source?: string): Promise<void> {
  if (source !== undefined) await writeSource(row, source, systemClock());
  await settings.put(pack(row), isStill(seen)).catch(orElse(changed));
  plugins.forget();
}

const changed = () => new AppError('stale_version', 'Somebody else has changed this plugin; load it again');
const isStill = ({ revision, uid }: PluginRow) => when('#revision = :revision AND #uid = :uid', { revision, uid });

/** Its sources go later: somebody may be about to run it. */
export async function removePlugin(id: string): Promise<boolean> {
  const marking = putting('changed', settings, changedRow(id, systemClock()));
  try {
    await transact([deleting('plugin', settings, pluginKey(id), present), marking]);
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  } finally {
    plugins.forget();
  }
  return true;
}

const MOST_CHANGES = 100;
const MOST_BYTES = 3.5 * 1024 * 1024;

/** All of it or nothing. */
export async function changePlugins(changes: readonly PluginChange[], removed: readonly PluginRow[]): Promise<void> {
  const rows = changes.map(({ row }) => pack(row));
  if (changes.length + removed.length > MOST_CHANGES || Buffer.byteLength(JSON.stringify(rows)) > MOST_BYTES)
    throw new AppError(
      'payload_too_large',
      `More than ${MOST_CHANGES} plugins, or so large ones, cannot change at once`,
    );
  const now = systemClock();
  for (const { row, source } of changes) if (source !== undefined) await writeSource(row, source, now);
  for (const { id } of removed) await markChanged(id, now);
  const puts = changes.map(({ row, seen }) => putting(row.id, settings, pack(row), seen ? isStill(seen) : absent));
  const deletes = removed.map((row) => deleting(row.id, settings, pluginKey(row.id), isStill(row)));
  if (puts.length + deletes.length > 0) await transact([...puts, ...deletes]).catch(orElse(changed));
  plugins.forget();
}

const UserValves = z.object({ uid: z.string(), sealed: z.string() });

/** Undefined also when they were set for another plugin of the same id. */
export async function readUserValves(userId: string, { id, uid }: PluginRow): Promise<string | undefined> {
  const found = UserValves.safeParse(await settings.get(userKey(userId, id)));
  return found.success && found.data.uid === uid ? found.data.sealed : undefined;
}

export const writeUserValves = (userId: string, { id, uid }: PluginRow, sealed: string) =>
  settings.put({ ...userKey(userId, id), uid, sealed });
