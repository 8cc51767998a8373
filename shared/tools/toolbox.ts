import type { Scope } from '../completion/plugins.ts';
import type { Runner } from '../plugins/runner.ts';
import type { Voice } from '../plugins/voice.ts';
import type { McpSession } from './mcp-server.ts';
import { openapiTools } from './openapi-server.ts';
import { pluginTools } from './plugin-tools.ts';
import type { ToolSource } from './requested.ts';
import type { AccessParts } from './server-access.ts';
import type { Tool } from './tool.ts';

/** All tools of one request, under names that no two of them share. */
export interface Toolbox {
  readonly tools: ReadonlyMap<string, Tool>;
  close(): Promise<void>;
}

export interface ToolboxParts extends AccessParts {
  readonly runner: Runner;
}

export interface Fillings {
  readonly sources: readonly ToolSource[];
  readonly builtIn: readonly Tool[];
  readonly scope: Scope;
  readonly voice: Voice | undefined;
}

/** Asks every source at the same time. One that does not answer fails the request, which wanted it. */
export async function openToolbox(parts: ToolboxParts, { sources, builtIn, scope, voice }: Fillings): Promise<Toolbox> {
  const sessions: McpSession[] = [];
  const close = async () => void (await Promise.all(sessions.map((session) => session.close())));
  const toolsOf = async (source: ToolSource): Promise<Tool[]> => {
    if (source.kind === 'plugin') return pluginTools({ runner: parts.runner, scope, voice }, source.plugin);
    if (source.server.type === 'openapi') return openapiTools(parts, source.server, scope);
    const { openMcp } = await import('./mcp-server.ts');
    const session = await openMcp(parts, source.server, scope);
    sessions.push(session);
    return session.tools;
  };
  const found = await Promise.allSettled(sources.map(async (source) => chosen(source, await toolsOf(source))));
  const failed = found.find((one) => one.status === 'rejected');
  if (failed) {
    await close();
    throw failed.reason;
  }
  const tools = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  return { tools: withOwnNames([...tools, ...builtIn]), close };
}

/** Only what the server's operator lets through, and of that only what the request names. */
function chosen(source: ToolSource, tools: readonly Tool[]): Tool[] {
  const prefix = source.kind === 'server' ? `${source.server.id}_` : '';
  const isNamed = (names: readonly string[], { name }: Tool) =>
    names.length === 0 || names.includes(name) || names.some((one) => `${prefix}${one}` === name);
  const allowed = source.kind === 'server' ? source.server.function_name_filter_list : [];
  return tools.filter((tool) => isNamed(allowed, tool) && isNamed(source.only, tool));
}

/** A name that two tools have is kept by the first; the others put their source in front, and a number where that is not enough. */
export function withOwnNames(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const named = new Map<string, Tool>();
  for (const tool of tools) named.set(freeName(tool, named), tool);
  return named;
}

const LONGEST_NAME = 64;

function freeName({ source, name }: Tool, taken: ReadonlyMap<string, Tool>): string {
  const long = `${source}_${name}`.replaceAll(/[^\w-]/g, '_').slice(-LONGEST_NAME);
  let free = taken.has(name) ? long : name;
  for (let count = 2; taken.has(free); count += 1) free = `${long.slice(0, LONGEST_NAME - 5)}_${count}`;
  return free;
}
