import * as z from 'zod';
import { AppError } from '../errors.ts';
import { decodeError } from '../llm/model-error.ts';
import type { Outbound } from '../net/outbound.ts';
import type { OutboundResponse } from '../net/response.ts';
import type { Connection } from './connection.ts';

/** A model as its upstream describes it. */
export interface UpstreamModel {
  readonly id: string;
  readonly name: string;
  readonly raw: Readonly<Record<string, unknown>>;
}

export interface Listing {
  readonly connection: Connection;
  readonly headers: Readonly<Record<string, string>>;
  readonly outbound: Outbound;
  readonly timeoutMs: number;
}

/** Asks a connection which models it has. A compatible API with a fixed list is not asked at all. */
export async function listUpstream(listing: Listing): Promise<UpstreamModel[]> {
  const { connection } = listing;
  if (connection.kind === 'compat' && connection.model_ids.length > 0)
    return connection.model_ids.map((id) => ({ id, name: id, raw: { id } }));
  const models = await (connection.kind === 'runtime' ? listRuntime(listing) : listCompat(listing));
  if (connection.model_ids.length === 0) return models;
  return models.filter(({ id }) => connection.model_ids.includes(id));
}

const Tags = z.object({ models: z.array(z.looseObject({ name: z.string(), model: z.string().optional() })) });

async function listRuntime(listing: Listing): Promise<UpstreamModel[]> {
  const { models } = await read(listing, '/api/tags', Tags);
  return models.map((raw) => ({ id: raw.model ?? raw.name, name: raw.name, raw }));
}

const Model = z.looseObject({ id: z.string(), name: z.string().optional(), display_name: z.string().optional() });
const Models = z.union([z.object({ data: z.array(Model) }), z.array(Model).transform((data) => ({ data }))]);

async function listCompat(listing: Listing): Promise<UpstreamModel[]> {
  const { data } = await read(listing, '/models', Models);
  return data.map((raw) => ({ id: raw.id, name: raw.name ?? raw.display_name ?? raw.id, raw }));
}

const LARGEST_LIST = 16 * 1024 * 1024;
const FORMAT_HEADERS = { chat: {}, messages: { 'anthropic-version': '2023-06-01' } } as const;

async function read<S extends z.ZodType>(
  { connection, headers, outbound, timeoutMs }: Listing,
  path: string,
  schema: S,
) {
  const response = await outbound.request(`${connection.url}${path}`, {
    headers: { accept: 'application/json', ...FORMAT_HEADERS[connection.api_type], ...headers },
    timeoutMs,
    trusted: true,
  });
  if (response.status !== 200) throw await refusal(response);
  const result = schema.safeParse(await response.json(LARGEST_LIST));
  if (!result.success) throw new AppError('upstream_failed', 'The upstream did not answer with a list of models');
  return result.data;
}

const LARGEST_ERROR = 64 * 1024;

async function refusal(response: OutboundResponse): Promise<AppError> {
  const { message } = decodeError(await response.text(LARGEST_ERROR).catch(() => ''), response.status);
  return new AppError('upstream_failed', `The upstream answered ${response.status}: ${message}`);
}
