import type { Filter, Scope } from '../completion/plugins.ts';
import type { Speak } from '../completion/speech.ts';
import { createAskTask, type TaskParts } from '../completion/task-model.ts';
import { AppError } from '../errors.ts';
import { objectAt } from '../llm/json-value.ts';
import type { Settings } from '../settings/variables.ts';
import { builtInTools } from '../tools/built-in.ts';
import { withChosenTools } from '../tools/chosen-tools.ts';
import { functionCallingOf } from '../tools/function-calling.ts';
import { withToolLoop } from '../tools/loop.ts';
import { requestedSources } from '../tools/requested.ts';
import { readToolServers } from '../tools/server-store.ts';
import type { AccessParts } from '../tools/server-access.ts';
import { createTelling } from '../tools/telling.ts';
import { openToolbox } from '../tools/toolbox.ts';
import { factsOf } from './call-facts.ts';
import { featuresOf, stringsOf } from './asked.ts';
import { createFilters } from './filters.ts';
import { findPipe } from './pipe-models.ts';
import { speakPipe } from './pipe.ts';
import type { PluginRow } from './plugin.ts';
import { createRunner, type Runner, type RunnerParts } from './runner.ts';
import { readPlugins } from './store.ts';
import { voiceAt } from './voice.ts';

export interface HeavyParts extends RunnerParts, AccessParts {
  readonly settings: Settings;
}

export interface ToolParts extends HeavyParts, Omit<TaskParts, 'settings'> {}

let runner: Runner | undefined;
const runnerOf = (parts: HeavyParts) => (runner ??= createRunner(parts));
const secondsOf = ({ settings }: HeavyParts) => settings.WEBSOCKET_EVENT_CALLER_TIMEOUT;
const voiceOf = (parts: HeavyParts, scope: Scope) => voiceAt(scope.actor.userId, scope, secondsOf(parts));

export const filtersOf = (parts: HeavyParts, rows: readonly PluginRow[], scope: Scope): Filter[] =>
  createFilters({ runner: runnerOf(parts), askSeconds: secondsOf(parts) }, rows, scope);

export async function pipeOf(parts: HeavyParts, modelId: string, scope: Scope | undefined): Promise<Speak> {
  const plugin = await findPipe(modelId);
  if (!plugin) throw new AppError('model_not_found', 'Model not found');
  return speakPipe(runnerOf(parts), {
    plugin,
    modelId,
    actor: scope?.actor,
    ...(scope && { facts: factsOf(scope), voice: voiceOf(parts, scope) }),
  });
}

/** Checks what was asked for now; contacts tool servers when the model is about to be asked. */
export async function toolsAround(parts: ToolParts, speak: Speak, scope: Scope): Promise<Speak> {
  const functionCalling = functionCallingOf(scope);
  const [plugins, servers] = await Promise.all([readPlugins(), readToolServers()]);
  const sources = requestedSources(stringsOf(scope.asked.tool_ids), { plugins, servers }, scope.actor);
  const voice = voiceOf(parts, scope);
  const builtIn = builtInTools(featuresOf(scope.asked.features), { ...parts, scope, voice });
  const common = {
    openToolbox: () => openToolbox({ ...parts, runner: runnerOf(parts) }, { sources, builtIn, scope, voice }),
    telling: createTelling(voice, scope),
    seesImages: seesImages(scope),
  };
  return functionCalling === 'native'
    ? withToolLoop(speak, { ...common, maxRounds: parts.settings.CHAT_RESPONSE_MAX_TOOL_CALL_ITERATIONS })
    : withChosenTools(speak, {
        ...common,
        askTask: (prompt, signal) => createAskTask(parts)(scope.target, prompt, signal),
      });
}

/** Whoever describes a model says when it cannot. */
const seesImages = ({ target }: Scope) => objectAt(target.meta, 'capabilities').vision !== false;
