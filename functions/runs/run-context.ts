import type { Seal } from '../../shared/seal/seal.ts';
import { keyContext } from '../../shared/workflow/catalog.ts';
import { readCatalog, readSpace } from '../../shared/workflow/context-reader.ts';
import { NodeFailure } from './failure.ts';

/** The space of a run, as its nodes see it. */
export interface RunSpace {
  readonly instructions: string;
  /** JSON text of an object. */
  readonly variables: string;
}

const NO_SPACE: RunSpace = { instructions: '', variables: '{}' };

export async function loadSpace(tenant: string, spaceId: string | null): Promise<RunSpace> {
  if (spaceId === null) return NO_SPACE;
  const space = await readSpace(tenant, spaceId);
  if (!space) throw new NodeFailure('unknown_space', `The space "${spaceId}" of this run does not exist any more`);
  return { instructions: space.instructions, variables: space.variables };
}

/** Where a model is and what opens it. */
export interface ModelConnection {
  readonly baseUrl: string;
  readonly model: string;
  readonly key: string | null;
}

export async function loadConnection(seal: Seal, tenant: string, catalogId: string | null): Promise<ModelConnection> {
  if (catalogId === null)
    throw new NodeFailure('no_catalog', 'Neither the trigger nor the workflow names a catalog with a model');
  const catalog = await readCatalog(tenant, catalogId);
  if (!catalog)
    throw new NodeFailure('unknown_catalog', `The catalog "${catalogId}" of this run does not exist any more`);
  const { sealed_key, base_url, model } = catalog;
  const key = sealed_key === null ? null : await seal.open(sealed_key, keyContext(tenant, catalogId));
  return { baseUrl: base_url, model, key };
}
