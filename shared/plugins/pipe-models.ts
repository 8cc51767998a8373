import type { FunctionModel } from '../models/catalog.ts';
import type { PluginRow } from './plugin.ts';
import { readPlugins } from './store.ts';

/** Pipes as models: one each, or one for each of the models a pipe lists. */
export const pipeModels = async (): Promise<FunctionModel[]> =>
  [...(await readPlugins()).values()].filter(({ kind, is_active }) => kind === 'pipe' && is_active).flatMap(modelsOf);

function modelsOf({ id, name, definition }: PluginRow): FunctionModel[] {
  const { pipes, description } = definition;
  const meta = { description };
  if (!pipes) return [{ id, name, meta }];
  return pipes.map((sub) => ({ id: `${id}.${sub.id}`, name: `${name} ${sub.name ?? sub.id}`, meta }));
}

/** The pipe behind a model id. */
export async function findPipe(modelId: string): Promise<PluginRow | undefined> {
  const plugin = (await readPlugins()).get(modelId.split('.', 1)[0] ?? '');
  return plugin?.kind === 'pipe' && plugin.is_active && modelsOf(plugin).some(({ id }) => id === modelId)
    ? plugin
    : undefined;
}
