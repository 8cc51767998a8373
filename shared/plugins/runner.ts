import type { UserActor } from '../identity/actor.ts';
import { AppError } from '../errors.ts';
import type { Outbound } from '../net/outbound.ts';
import type { Seal } from '../seal/seal.ts';
import { systemClock } from '../time.ts';
import { createCallLog, type CallLog } from './call-log.ts';
import { createLogKeeper } from './log-keeper.ts';
import { outsideOf } from './outside.ts';
import type { PluginRow } from './plugin.ts';
import { roomFor, type RoomSettings } from './room.ts';
import { createSandboxPool, type SandboxPool } from './sandbox/pool.ts';
import { createSealedValves, type CallValves, type SealedValves } from './sealed-valves.ts';
import { createSources } from './sources.ts';
import type { Voice } from './voice.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface RunnerParts {
  readonly settings: RoomSettings;
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
  /** Ends the call, wherever the plugin is. */
  readonly signal?: AbortSignal;
  /** Hears each part of a generator; what it promises is waited for. */
  readonly onPart?: (value: unknown) => Promise<void> | void;
  /** Read once by whoever calls a plugin many times. */
  readonly valves?: Promise<CallValves>;
}

export interface Runner {
  readonly valves: SealedValves;
  run(call: PluginCall): Promise<unknown>;
}

/** One pool per process: every family that runs plugins shares the warm ones. */
let pool: SandboxPool | undefined;

export function createRunner({ settings, outbound, seal }: RunnerParts): Runner {
  const valves = createSealedValves(seal);
  const sourceOf = createSources();
  const keepLog = createLogKeeper(systemClock);
  return {
    valves,
    async run(call) {
      const { plugin, method, args, signal } = call;
      const opened = call.valves ?? valves.forCall(plugin, call.actor?.userId);
      const [source, set] = await Promise.all([sourceOf(plugin), opened]);
      const log = createCallLog(set.secrets);
      // An id that is used anew is another plugin, whatever its source.
      const program = { id: plugin.id, revision: `${plugin.uid} ${plugin.digest}`, source };
      pool ??= createSandboxPool(roomFor(settings));
      try {
        const context = contextOf(call, set);
        return await pool.run(program, { method, args: [...args, context] }, outsideOf(call, { outbound, log }));
      } catch (error) {
        const shown = withoutSecrets(error, log);
        if (!signal?.aborted) log.add('error', shown instanceof Error ? shown.message : String(shown));
        throw shown;
      } finally {
        await call.voice?.settled();
        await keepLog(plugin.id, method, log.lines);
      }
    },
  };
}

function contextOf({ plugin, actor, facts }: PluginCall, { valves, user }: CallValves): Fields {
  const { userId: id = '', name = '', email = '', role = '' } = actor ?? {};
  return { metadata: {}, ...facts, id: plugin.id, valves, user: { id, name, email, role, valves: user } };
}

/** What a plugin throws is shown to whoever asked. */
const withoutSecrets = (error: unknown, { redact }: CallLog) =>
  error instanceof AppError && error.code === 'plugin_failed'
    ? new AppError('plugin_failed', redact(error.message), { cause: error })
    : error;
