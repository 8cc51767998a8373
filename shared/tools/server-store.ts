import { AppError } from '../errors.ts';
import { createFresh } from '../models/fresh.ts';
import { orElse } from '../store/dynamodb.ts';
import { absent, when } from '../store/expression.ts';
import { openTable } from '../store/table.ts';
import { systemClock } from '../time.ts';
import { ToolServer } from './server.ts';

/**
 * Rows of the table `settings`:
 *
 *   TOOL_SERVERS   S#<id>   a tool server
 */
const settings = openTable('settings');
const serverKey = (id: string) => ({ pk: 'TOOL_SERVERS', sk: `S#${id}` });
const servers = createFresh(loadServers, { freshMs: 5000, staleMs: 15_000, now: systemClock });

export const readToolServers = () => servers.get();

async function loadServers(): Promise<ReadonlyMap<string, ToolServer>> {
  const rows = await Array.fromAsync(settings.walk({ pk: 'TOOL_SERVERS' }));
  return new Map(rows.map((row) => ToolServer.parse(row)).map((server) => [server.id, server]));
}

export async function readToolServer(id: string): Promise<ToolServer | undefined> {
  const row = await settings.get(serverKey(id));
  return row && ToolServer.parse(row);
}

/** Only what was read may be replaced; without a revision there must be nothing yet. */
export async function writeToolServer(server: ToolServer, seenRevision: number | undefined): Promise<void> {
  const changed = () => new AppError('stale_version', 'Somebody else has changed this tool server; load it again');
  const isSame = seenRevision === undefined ? absent : when('#revision = :revision', { revision: seenRevision });
  await settings.put({ ...serverKey(server.id), ...server }, isSame).catch(orElse(changed));
  servers.forget();
}

export async function removeToolServer(id: string): Promise<boolean> {
  const before = await settings.delete(serverKey(id));
  servers.forget();
  return before !== undefined;
}
