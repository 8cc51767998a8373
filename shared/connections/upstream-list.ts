import * as z from 'zod';
import { askUpstream, type Asking } from './upstream-question.ts';

/** A model as its upstream describes it. */
export interface UpstreamModel {
  readonly id: string;
  readonly name: string;
  readonly raw: Readonly<Record<string, unknown>>;
}

/** Asks a connection which models it has. A compatible API with a fixed list is not asked at all. */
export async function listUpstream(asking: Asking): Promise<UpstreamModel[]> {
  const { connection } = asking;
  if (connection.kind === 'compat' && connection.model_ids.length > 0)
    return connection.model_ids.map((id) => ({ id, name: id, raw: { id } }));
  const models = await (connection.kind === 'runtime' ? listRuntime(asking) : listCompat(asking));
  if (connection.model_ids.length === 0) return models;
  return models.filter(({ id }) => connection.model_ids.includes(id));
}

const EXPECTED = 'a list of models';
const Tags = z.object({ models: z.array(z.looseObject({ name: z.string(), model: z.string().optional() })) });

async function listRuntime(asking: Asking): Promise<UpstreamModel[]> {
  const { models } = await askUpstream(asking, { path: '/api/tags', schema: Tags, expected: EXPECTED });
  return models.map((raw) => ({ id: raw.model ?? raw.name, name: raw.name, raw }));
}

const Model = z.looseObject({ id: z.string(), name: z.string().optional(), display_name: z.string().optional() });
const Models = z.union([z.object({ data: z.array(Model) }), z.array(Model).transform((data) => ({ data }))]);

async function listCompat(asking: Asking): Promise<UpstreamModel[]> {
  const { data } = await askUpstream(asking, { path: '/models', schema: Models, expected: EXPECTED });
  return data.map((raw) => ({ id: raw.id, name: raw.name ?? raw.display_name ?? raw.id, raw }));
}
