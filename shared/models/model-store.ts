import { AppError } from '../errors.ts';
import { holds, orElse } from '../store/dynamodb.ts';
import { absent, present, when } from '../store/expression.ts';
import { openTable } from '../store/table.ts';
import { ModelRow } from './model-row.ts';

/**
 * Rows of the table `settings`:
 *
 *   MODELS#<tenant>   M#<id>   a described model, without its picture
 *                     I#<id>   its picture, apart because lists and completions never need it
 */
const settings = openTable('settings');
const partition = (tenant: string) => `MODELS#${tenant}`;
const modelKey = ({ tenant, id }: ModelAddress) => ({ pk: partition(tenant), sk: `M#${id}` });
const imageKey = ({ tenant, id }: ModelAddress) => ({ pk: partition(tenant), sk: `I#${id}` });

export interface ModelAddress {
  readonly tenant: string;
  readonly id: string;
}

export async function readModels(tenant: string): Promise<ReadonlyMap<string, ModelRow>> {
  const rows = await Array.fromAsync(settings.walk({ pk: partition(tenant), prefix: 'M#' }));
  return new Map(rows.map((row) => ModelRow.parse(row)).map((model) => [model.id, model]));
}

export const readModel = async (address: ModelAddress): Promise<ModelRow | undefined> => {
  const row = await settings.get(modelKey(address));
  return row && ModelRow.parse(row);
};

const idTaken = () => new AppError('conflict', 'A model with this id exists already');
const changedMeanwhile = () => new AppError('stale_version', 'Somebody else has changed this model; load it again');

export const insertModel = (model: ModelRow) =>
  settings.put({ ...modelKey(model), ...model }, absent).catch(orElse(idTaken));

export const replaceModel = (model: ModelRow, seenRevision: number) =>
  settings
    .put({ ...modelKey(model), ...model }, when('#revision = :revision', { revision: seenRevision }))
    .catch(orElse(changedMeanwhile));

export async function removeModel(address: ModelAddress): Promise<boolean> {
  await settings.delete(imageKey(address));
  return holds(settings.delete(modelKey(address), present));
}

export async function writeImage(address: ModelAddress, image: string | undefined): Promise<void> {
  if (image === undefined) await settings.delete(imageKey(address));
  else await settings.put({ ...imageKey(address), image });
}

export async function readImage(address: ModelAddress): Promise<string | undefined> {
  const image = (await settings.get(imageKey(address)))?.['image'];
  return typeof image === 'string' ? image : undefined;
}
