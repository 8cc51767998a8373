import type { Filter, Scope } from '../completion/plugins.ts';
import { AppError } from '../errors.ts';
import { isObject } from '../llm/json-value.ts';
import type { Fields } from '../llm/turn.ts';
import { log } from '../log.ts';
import { factsOf } from './call-facts.ts';
import type { PluginRow } from './plugin.ts';
import type { Runner } from './runner.ts';
import type { CallValves } from './sealed-valves.ts';
import { voiceAt } from './voice.ts';

export interface FilterParts {
  readonly runner: Runner;
  readonly askSeconds: number;
}

/** Uploaded filters as the pipeline wants them. Made anew for every request. */
export const createFilters = (parts: FilterParts, rows: readonly PluginRow[], scope: Scope): Filter[] =>
  rows.map((plugin) => createFilter(parts, plugin, scope));

function createFilter({ runner, askSeconds }: FilterParts, plugin: PluginRow, scope: Scope): Filter {
  const voice = voiceAt(scope.actor.userId, scope, askSeconds);
  let valves: Promise<CallValves> | undefined; // once for all chunks of a reply
  const run = (method: string, value: Fields) => {
    valves ??= runner.valves.forCall(plugin, scope.actor.userId);
    return runner.run({ plugin, method, args: [value], actor: scope.actor, facts: factsOf(scope), voice, valves });
  };
  const changed = async (method: string, body: Fields): Promise<Fields> => {
    const value = await run(method, body).catch((error: unknown) => {
      throw asRefusal(error, plugin);
    });
    if (value === undefined || value === null) return body;
    if (!isObject(value)) throw asRefusal(new AppError('plugin_failed', `${method} must return a body`), plugin);
    return value;
  };
  const has = (method: string) => plugin.methods.includes(method);
  return {
    id: plugin.id,
    ...(has('inlet') && { inlet: (body: Fields) => changed('inlet', body) }),
    ...(has('stream') && { stream: createStream((chunk) => run('stream', chunk), plugin, scope) }),
    ...(has('outlet') && { outlet: (payload: Fields) => changed('outlet', payload) }),
  };
}

/** What a filter throws is meant for whoever asked. */
const asRefusal = (error: unknown, { id }: PluginRow) =>
  error instanceof AppError && error.code === 'plugin_failed'
    ? new AppError('plugin_failed', error.message, { status: 400, facts: { plugin: id } })
    : error;

/** A chunk that the filter fails on is lost from a stored reply; for a caller alone the answer ends there with an error. */
function createStream(run: (chunk: Fields) => Promise<unknown>, { id }: PluginRow, scope: Scope) {
  const isStored = scope.chatId !== undefined && scope.messageId !== undefined;
  let hasFailed = false;
  return async (chunk: Fields): Promise<Fields | undefined> => {
    if (hasFailed) return undefined;
    try {
      const value = await run(chunk);
      return isObject(value) ? value : undefined;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.warn('stream filter failed', { id, code: error.code });
      if (isStored) return undefined;
      hasFailed = true;
      return { error: { message: error.message, type: error.code } };
    }
  };
}
