import { AppError, invalidField, notFound } from '../../shared/errors.ts';
import { isObject, parseJson } from '../../shared/llm/json-value.ts';
import type { ToolServer } from '../../shared/tools/server.ts';
import type { Tool } from '../../shared/tools/tool.ts';
import type { Clock } from '../../shared/time.ts';
import type { ServerInput, ServerView } from './contract/tool-servers.ts';

export interface ToolServerParts {
  readonly all: () => Promise<ReadonlyMap<string, ToolServer>>;
  readonly read: (id: string) => Promise<ToolServer | undefined>;
  readonly write: (server: ToolServer, seenRevision: number | undefined) => Promise<void>;
  readonly remove: (id: string) => Promise<boolean>;
  readonly seal: (id: string, key: string) => Promise<string>;
  readonly readDocument: (server: ToolServer) => Promise<Readonly<Record<string, unknown>>>;
  readonly listMcp: (server: ToolServer) => Promise<readonly Tool[]>;
  readonly now: Clock;
}

/** Tool servers are the operators' business alone. */
export function createToolServers(parts: ToolServerParts) {
  const put = async (input: ServerInput) => {
    const before = await parts.read(input.info.id);
    const server = await build(parts, input, before);
    await parts.write(server, before?.revision);
    return toView(server);
  };
  const list = async () => ({ TOOL_SERVER_CONNECTIONS: [...(await parts.all()).values()].map(toView) });
  return {
    list,
    async replaceAll(inputs: readonly ServerInput[]) {
      const ids = inputs.map(({ info }) => info.id);
      const twice = ids.find((id, at) => ids.indexOf(id) !== at);
      if (twice !== undefined) throw invalidField(['body', 'TOOL_SERVER_CONNECTIONS'], `${twice} is named twice`);
      for (const input of inputs) await put(input);
      const gone = [...(await parts.all()).keys()].filter((id) => !ids.includes(id));
      for (const id of gone) await parts.remove(id);
      return list();
    },
    async put(id: string, input: ServerInput) {
      if (id !== input.info.id) throw invalidField(['body', 'info', 'id'], 'Is not the id in the address');
      return put(input);
    },
    async delete(id: string) {
      if (!(await parts.remove(id))) throw notFound('Tool server');
      return true;
    },
    verify: async (input: ServerInput) => verify(parts, await build(parts, input, await parts.read(input.info.id))),
  };
}

export type ToolServers = ReturnType<typeof createToolServers>;

async function build(
  { now, seal }: ToolServerParts,
  input: ServerInput,
  before: ToolServer | undefined,
): Promise<ToolServer> {
  return {
    ...fieldsOf(input),
    sealed_key: await keyFor(input, before, seal),
    created_at: before?.created_at ?? now(),
    updated_at: now(),
    revision: (before?.revision ?? 0) + 1,
  };
}

async function verify(parts: ToolServerParts, server: ToolServer) {
  if (server.type === 'openapi') return refuseAs400(parts.readDocument(server));
  const tools = await refuseAs400(parts.listMcp(server));
  return { status: true, specs: tools.map(({ name, description, parameters }) => ({ name, description, parameters })) };
}

/** Whoever tries out an address is told what is wrong with it, not that we failed. */
const refuseAs400 = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof AppError ? new AppError('upstream_failed', error.message, { status: 400 }) : error;
  });

/** A key moves to another address only when it is given again: it could be sent to anyone otherwise. */
async function keyFor({ key, url, info }: ServerInput, before: ToolServer | undefined, seal: ToolServerParts['seal']) {
  if (key !== '') return seal(info.id, key);
  const isSamePlace = before !== undefined && new URL(before.url).origin === new URL(url).origin;
  return isSamePlace ? before.sealed_key : null;
}

function fieldsOf({ url, path, type, auth_type, headers, spec_type, spec, config, info }: ServerInput) {
  if (spec_type === 'json' && !isObject(parseJson(spec))) throw invalidField(['body', 'spec'], 'Is not a JSON object');
  if (auth_type === 'oauth_2.1' && type !== 'mcp')
    throw invalidField(['body', 'auth_type'], 'Only MCP servers can be authorized by OAuth');
  const filter = config.function_name_filter_list;
  return {
    id: info.id,
    type,
    name: info.name || info.id,
    description: info.description,
    url: url.replace(/\/+$/, ''),
    path,
    spec: spec_type === 'json' ? spec : null,
    auth_type,
    headers: headers ?? {},
    enable: config.enable,
    function_name_filter_list: [filter].flat().flatMap(splitNames),
    access_grants: config.access_grants,
  };
}

const splitNames = (names: string) =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

const toView = (server: ToolServer): ServerView => ({
  url: server.url,
  path: server.path,
  type: server.type,
  auth_type: server.auth_type,
  key: '',
  has_key: server.sealed_key !== null,
  headers: server.headers,
  spec_type: server.spec === null ? 'url' : 'json',
  spec: server.spec ?? '',
  config: {
    enable: server.enable,
    access_grants: server.access_grants,
    function_name_filter_list: server.function_name_filter_list,
  },
  info: { id: server.id, name: server.name, description: server.description },
});
