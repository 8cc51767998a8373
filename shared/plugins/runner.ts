import type { UserActor } from '../identity/actor.ts';
import { AppError } from '../errors.ts';
import { log } from '../log.ts';
import type { Outbound } from '../net/outbound.ts';
import type { Seal } from '../seal/seal.ts';
import type { Settings } from '../settings/variables.ts';
import { systemClock } from '../time.ts';
import { writeLog, type LogLine } from './logs.ts';
import type { PluginRow } from './plugin.ts';
import { fetchForPlugin } from './plugin-fetch.ts';
import { createSandboxPool, type SandboxPool } from './sandbox/pool.ts';
import { createSealedValves, type SealedValves } from './sealed-valves.ts';
import { createSources } from './sources.ts';
import type { Voice } from './voice.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface RunnerParts {
  readonly settings: Pick<Settings, 'PLUGIN_MEMORY_MB' | 'PLUGIN_TIMEOUT_MS'>;
  readonly outbound: Outbound;
  readonly seal: Seal;
}

/** One call into a plugin. */
export interface PluginCall {
  readonly plugin: PluginRow;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly actor: UserActor | undefined;
  /** What else its context says. */
  readonly facts?: Fields;
  readonly voice?: Voice;
  /** Hears each part of a generator. */
  readonly onPart?: (value: unknown) => void;
}

export interface Runner {
  readonly valves: SealedValves;
  run(call: PluginCall): Promise<unknown>;
}

/** One pool per process: every family that runs plugins shares the warm ones. */
let pool: SandboxPool | undefined;

export function createRunner({ settings, outbound, seal }: RunnerParts): Runner {
  const limits = { memoryMb: settings.PLUGIN_MEMORY_MB, timeoutMs: settings.PLUGIN_TIMEOUT_MS };
  const valves = createSealedValves(seal);
  const sourceOf = createSources();
  return {
    valves,
    async run(call) {
      const { plugin, method, args } = call;
      const [source, context] = await Promise.all([sourceOf(plugin), contextOf(call, valves)]);
      const lines: LogLine[] = [];
      const program = { id: plugin.id, revision: plugin.digest, source };
      pool ??= createSandboxPool(limits);
      try {
        return await pool.run(program, { method, args: [...args, context] }, outsideOf(call, outbound, lines));
      } catch (error) {
        lines.push({ level: 'error', text: error instanceof Error ? error.message : String(error) });
        throw error;
      } finally {
        await call.voice?.settled();
        if (lines.length > 0) await keepLog(plugin.id, method, lines);
      }
    },
  };
}

async function contextOf({ plugin, actor, facts }: PluginCall, sealed: SealedValves): Promise<Fields> {
  const { valves, user } = await sealed.forCall(plugin, actor?.userId);
  const { userId: id = '', name = '', email = '', role = '' } = actor ?? {};
  return { metadata: {}, ...facts, id: plugin.id, valves, user: { id, name, email, role, valves: user } };
}

function outsideOf({ voice, onPart }: PluginCall, outbound: Outbound, lines: LogLine[]) {
  return {
    answer: async (name: string, data: unknown): Promise<unknown> => {
      if (name === 'fetch') return fetchForPlugin(outbound, data);
      if (name === 'emit') return (await voice?.emit(data)) ?? null;
      if (name === 'question' && voice) return voice.ask(data);
      throw new AppError('plugin_failed', 'There is nobody to ask: the request names no chat, message and session');
    },
    log: (level: LogLine['level'], text: string) => void lines.push({ level, text }),
    ...(onPart && { part: onPart }),
  };
}

/** The log is for whoever wrote the plugin; a reply does not fail for it. */
const keepLog = (id: string, method: string, lines: readonly LogLine[]) =>
  writeLog(id, { at: systemClock(), method, lines: [...lines] }).catch((error: unknown) =>
    log.warn('plugin log not kept', { id, error }),
  );
