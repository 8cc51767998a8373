import { AppError } from '../errors.ts';
import { holds, orElse } from '../store/dynamodb.ts';
import { absent, present, when } from '../store/expression.ts';
import { openTable } from '../store/table.ts';
import { deleting, putting, transact } from '../store/transaction.ts';
import { systemClock } from '../time.ts';
import type { PluginRow } from './plugin.ts';
import { changedRow, markChanged, writeSource } from './source-store.ts';
import { pack, pluginKey, plugins } from './store.ts';

const settings = openTable('settings');

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
  const removing = transact([deleting('plugin', settings, pluginKey(id), present), marking]);
  return holds(removing).finally(() => plugins.forget());
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
