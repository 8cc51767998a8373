import { AppError } from '../errors.ts';
import { byPriority, type PluginRow } from './plugin.ts';

export interface Wanted {
  /** Those the model names. */
  readonly ofModel: ReadonlySet<string>;
  /** Those the request names in `filter_ids`. */
  readonly asked: ReadonlySet<string>;
}

/**
 * The filters of a request: those for every model, those of its model and those it asks for, as far as they are switched
 * on; toggles only when they are asked for. Lower priorities first, then by id.
 */
export function selectFilters(plugins: Iterable<PluginRow>, { ofModel, asked }: Wanted): PluginRow[] {
  const isMeant = ({ id, is_global, definition }: PluginRow) =>
    asked.has(id) || ((is_global || ofModel.has(id)) && !definition.toggle);
  return [...plugins]
    .filter((plugin) => plugin.kind === 'filter' && plugin.is_active && isMeant(plugin))
    .map((plugin) => ({ plugin, id: plugin.id, priority: plugin.priority ?? plugin.definition.priority }))
    .toSorted(byPriority)
    .map(({ plugin }) => plugin);
}

/** Files are for a filter that says it deals with them; without one, nobody would look at them. */
export function demandFileHandler(files: unknown, filters: readonly PluginRow[]): void {
  if (!Array.isArray(files) || files.length === 0) return;
  if (filters.some(({ definition, methods }) => definition.file_handler && methods.includes('inlet'))) return;
  throw new AppError('not_available', '"files" is not available on this installation', { facts: { param: 'files' } });
}

/** Whoever asks for a filter that is not there would otherwise get an answer without it. */
export function demandAll(asked: ReadonlySet<string>, found: readonly { readonly id: string }[]): void {
  const missing = [...asked].find((id) => !found.some((filter) => filter.id === id));
  if (missing !== undefined)
    throw new AppError('not_found', `There is no filter "${missing}"`, { facts: { param: 'filter_ids' } });
}
