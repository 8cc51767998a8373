import * as z from 'zod';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { holds } from '../store/dynamodb.ts';
import { absent, present, when } from '../store/expression.ts';
import { createSpill } from '../store/spill.ts';
import { openTable } from '../store/table.ts';
import type { Millis } from '../time.ts';
import type { PluginRow } from './plugin.ts';

/**
 * Rows of the table `settings`:
 *
 *   PLUGIN_SOURCE#<id>   <digest>   a source; never changed, so whoever still runs the one before finds it
 *   PLUGIN_CHANGED       <id>       when a plugin was last given a source or deleted: some of its sources may go
 */
const settings = openTable('settings');
const spill = createSpill();
const sourceKey = ({ id, digest }: SourceName) => ({ pk: `PLUGIN_SOURCE#${id}`, sk: digest });
const changedKey = (id: string) => ({ pk: CHANGED, sk: id });
const CHANGED = 'PLUGIN_CHANGED';

type SourceName = Pick<PluginRow, 'id' | 'digest'>;

const Source = z.object({
  written_at: z.number(),
  source: z.union([z.object({ inline: z.unknown() }), z.object({ object: z.string(), bytes: z.number() })]),
});

/** A row of this plugin may point to the source from now on. */
export async function writeSource(name: SourceName, text: string, now: Millis): Promise<void> {
  await markChanged(name.id, now);
  const refreshed = settings.update(sourceKey(name), { set: { written_at: now } }, present);
  if (await holds(refreshed)) return;
  const source = await spill.pack(`plugins/${name.id}/${name.digest}-${newId()}.json`, text);
  if (!(await holds(settings.put({ ...sourceKey(name), source, written_at: now }, absent)))) await spill.drop(source);
}

export const markChanged = (id: string, now: Millis) => settings.put(changedRow(id, now));
export const changedRow = (id: string, now: Millis) => ({ ...changedKey(id), changed_at: now });

export async function readSource(name: SourceName): Promise<string> {
  const source = await findSource(name);
  if (source === undefined) throw new AppError('plugin_failed', `The source of ${name.id} is gone`);
  return source;
}

export async function findSource(name: SourceName): Promise<string | undefined> {
  const found = Source.safeParse(await settings.get(sourceKey(name)));
  const source = found.success ? await spill.unpack(found.data.source) : undefined;
  return typeof source === 'string' ? source : undefined;
}

/** Longer than any function lives that may still have the row before. */
const KEPT_MS = 20 * 60_000;

/** Deletes the sources that no plugin has had for a while; answers how many. */
export async function sweepSources(now: Millis, currentOf: (id: string) => Promise<PluginRow | undefined>) {
  let count = 0;
  for await (const { sk, changed_at } of settings.walk({ pk: CHANGED })) {
    const at = Number(changed_at);
    if (now - at < KEPT_MS) continue;
    count += await sweepPlugin(String(sk), now, await currentOf(String(sk)));
    const isSame = when('#changed_at = :changed_at', { changed_at: at });
    await holds(settings.delete(changedKey(String(sk)), isSame));
  }
  return count;
}

async function sweepPlugin(id: string, now: Millis, current: PluginRow | undefined): Promise<number> {
  let count = 0;
  for await (const row of settings.walk({ pk: `PLUGIN_SOURCE#${id}` })) {
    const { written_at, source } = Source.parse(row);
    const name = { id, digest: String(row['sk']) };
    if (name.digest === current?.digest || now - written_at < KEPT_MS) continue;
    // Whoever goes back to this source meanwhile has refreshed it.
    const isSame = when('#written_at = :written_at', { written_at });
    if (!(await holds(settings.delete(sourceKey(name), isSame)))) continue;
    await spill.drop(source);
    count += 1;
  }
  return count;
}
