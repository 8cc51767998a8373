import { AppError, invalidField, notFound } from '../../shared/errors.ts';
import { usesOauth, type ToolServer } from '../../shared/tools/server.ts';
import type { Tool } from '../../shared/tools/tool.ts';
import type { Clock } from '../../shared/time.ts';
import type { ServerInput } from './contract/tool-servers.ts';
import { buildServer, type ServerSeals } from './server-build.ts';
import { toServerView } from './server-views.ts';

type Servers = ReadonlyMap<string, ToolServer>;

export interface ToolServerParts extends ServerSeals {
  readonly all: () => Promise<Servers>;
  readonly read: (id: string) => Promise<ToolServer | undefined>;
  /** All or nothing, in the place of the list that the change was made from. */
  readonly change: (make: (before: Servers) => Promise<ToolServer[]>) => Promise<void>;
  readonly readDocument: (server: ToolServer) => Promise<Readonly<Record<string, unknown>>>;
  readonly listMcp: (server: ToolServer) => Promise<readonly Tool[]>;
  /** Who authorizes the users of an MCP server. */
  readonly discover: (server: ToolServer) => Promise<Readonly<Record<string, unknown>>>;
  readonly now: Clock;
}

/** Lists are read and answered whole; an answer ends at 6 MB. */
const MOST_SERVERS = 500;
const LARGEST_LIST = 4 * 1024 * 1024;

/** Tool servers are the operators' business alone. */
export function createToolServers(parts: ToolServerParts) {
  const list = async () => ({ TOOL_SERVER_CONNECTIONS: [...(await parts.all()).values()].map(toServerView) });
  return {
    list,
    async replaceAll(inputs: readonly ServerInput[]) {
      const ids = inputs.map(({ info }) => info.id);
      const twice = ids.find((id, at) => ids.indexOf(id) !== at);
      if (twice !== undefined) throw invalidField(['body', 'TOOL_SERVER_CONNECTIONS'], `${twice} is named twice`);
      demandRoom(inputs.length);
      await parts.change(async (before) => {
        const next: ToolServer[] = [];
        for (const input of inputs) next.push(await buildServer(parts, input, before.get(input.info.id)));
        return demandFit(next);
      });
      return list();
    },
    async put(id: string, input: ServerInput) {
      if (id !== input.info.id) throw invalidField(['body', 'info', 'id'], 'Is not the id in the address');
      let saved: ToolServer | undefined;
      await parts.change(async (before) => {
        saved = await buildServer(parts, input, before.get(id));
        return demandFit([...new Map(before).set(id, saved).values()]);
      });
      if (!saved) throw new Error('A change ended without having been made');
      return toServerView(saved);
    },
    async delete(id: string) {
      await parts.change(async (before) => {
        if (!before.has(id)) throw notFound('Tool server');
        return [...before.values()].filter((server) => server.id !== id);
      });
      return true;
    },
    verify: async (input: ServerInput) =>
      verify(parts, await buildServer(parts, input, await parts.read(input.info.id))),
  };
}

export type ToolServers = ReturnType<typeof createToolServers>;

function demandRoom(count: number) {
  if (count > MOST_SERVERS)
    throw invalidField(['body', 'TOOL_SERVER_CONNECTIONS'], `There can be ${MOST_SERVERS} tool servers, not ${count}`);
}

function demandFit(servers: ToolServer[]): ToolServer[] {
  demandRoom(servers.length);
  if (Buffer.byteLength(JSON.stringify(servers)) > LARGEST_LIST)
    throw new AppError(
      'payload_too_large',
      'All tool servers together are larger than 4 MB; let some publish their documents',
    );
  return servers;
}

async function verify(parts: ToolServerParts, server: ToolServer) {
  if (server.type === 'openapi') return refuseAs400(parts.readDocument(server));
  if (usesOauth(server)) return { status: true, ...(await refuseAs400(parts.discover(server))) };
  const tools = await refuseAs400(parts.listMcp(server));
  return { status: true, specs: tools.map(({ name, description, parameters }) => ({ name, description, parameters })) };
}

/** Whoever tries out an address is told what is wrong with it, not that we failed. */
const refuseAs400 = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof AppError ? new AppError('upstream_failed', error.message, { status: 400 }) : error;
  });
