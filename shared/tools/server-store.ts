import * as z from 'zod';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { createFresh } from '../models/fresh.ts';
import { ConditionFailed } from '../store/dynamodb.ts';
import { absent, when } from '../store/expression.ts';
import { createSpill, type Spilled } from '../store/spill.ts';
import { openTable } from '../store/table.ts';
import { systemClock } from '../time.ts';
import { ToolServer } from './server.ts';

/**
 * Row of the table `settings`:
 *
 *   TOOL_SERVERS   LIST   every tool server: a value that is replaced as a whole, so that nobody ever sees half of a change
 */
const settings = openTable('settings');
const spill = createSpill();
const LIST = { pk: 'TOOL_SERVERS', sk: 'LIST' };

const Stored = z.object({ revision: z.string(), list: z.custom<Spilled>((value) => value !== undefined) });
type Stored = z.output<typeof Stored>;
const Servers = z.array(ToolServer);

export type ToolServerMap = ReadonlyMap<string, ToolServer>;

const servers = createFresh(async () => (await load()).servers, { freshMs: 5000, staleMs: 15_000, now: systemClock });

export const readToolServers = (): Promise<ToolServerMap> => servers.get();
export const readToolServer = async (id: string) => (await load()).servers.get(id);

const MOST_TRIES = 20;

/**
 * Puts a new list in the place of the one it was made from. When somebody else was faster it is made again, from theirs.
 * What the change throws leaves everything as it was.
 */
export async function changeToolServers(change: (before: ToolServerMap) => Promise<ToolServer[]>): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const before = await load();
    if (await replace(before.stored, await change(before.servers))) return servers.forget();
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * (tries + 1)));
  }
  throw new AppError('stale_version', 'Others keep changing the tool servers; try again');
}

interface Loaded {
  readonly stored: Stored | undefined;
  readonly servers: ToolServerMap;
}

async function load(): Promise<Loaded> {
  const row = await settings.get(LIST);
  if (!row) return { stored: undefined, servers: new Map() };
  const stored = Stored.parse(row);
  try {
    const list = Servers.parse(await spill.unpack(stored.list));
    return { stored, servers: new Map(list.map((server) => [server.id, server])) };
  } catch (error) {
    // A long list lies beside its row and goes when the next one comes.
    if (Stored.safeParse(await settings.get(LIST)).data?.revision === stored.revision) throw error;
    return load();
  }
}

/** Says whether the list was still the one that was read. */
async function replace(before: Stored | undefined, next: readonly ToolServer[]): Promise<boolean> {
  const revision = newId();
  const list = await spill.pack(`tool-servers/${revision}`, next);
  const isSame = before ? when('#revision = :revision', { revision: before.revision }) : absent;
  try {
    await settings.put({ ...LIST, revision, list }, isSame);
  } catch (error) {
    await spill.drop(list);
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
  if (before) await spill.drop(before.list);
  return true;
}
