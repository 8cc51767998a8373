import type { Scope } from '../completion/plugins.ts';
import { factsOf } from '../plugins/call-facts.ts';
import type { PluginRow } from '../plugins/plugin.ts';
import type { Runner } from '../plugins/runner.ts';
import type { Voice } from '../plugins/voice.ts';
import { toResult, type Tool } from './tool.ts';

export interface PluginToolParts {
  readonly runner: Runner;
  readonly scope: Scope;
  readonly voice: Voice | undefined;
}

/** The tools of an uploaded plugin. */
export const pluginTools = ({ runner, scope, voice }: PluginToolParts, plugin: PluginRow): Tool[] =>
  Object.entries(plugin.definition.tools ?? {}).map(([name, { description, parameters }]) => ({
    source: plugin.id,
    name,
    description,
    parameters: parameters ?? { type: 'object', properties: {} },
    isCited: true,
    async run(args, signal) {
      const method = `tools.${name}.run`;
      const value = await runner.run({
        plugin,
        method,
        args: [args],
        actor: scope.actor,
        facts: factsOf(scope),
        voice,
        signal,
      });
      return toResult(value);
    },
  }));
