import type * as z from 'zod';
import { AppError } from '../errors.ts';
import { decodeError } from '../llm/model-error.ts';
import type { Outbound } from '../net/outbound.ts';
import type { OutboundResponse } from '../net/response.ts';
import type { Connection } from './connection.ts';

export interface Asking {
  readonly connection: Connection;
  readonly headers: Readonly<Record<string, string>>;
  readonly outbound: Outbound;
  readonly timeoutMs: number;
}

export interface Question<S extends z.ZodType> {
  readonly path: string;
  readonly schema: S;
  /** What the answer should have been, in words. */
  readonly expected: string;
}

const LARGEST_ANSWER = 16 * 1024 * 1024;
const FORMAT_HEADERS = { chat: {}, messages: { 'anthropic-version': '2023-06-01' } } as const;

/** Asks a connection about itself. Operators named its address, so it may be a private one. */
export async function askUpstream<S extends z.ZodType>(
  { connection, headers, outbound, timeoutMs }: Asking,
  { path, schema, expected }: Question<S>,
): Promise<z.output<S>> {
  const response = await outbound.request(`${connection.url}${path}`, {
    headers: { accept: 'application/json', ...FORMAT_HEADERS[connection.api_type], ...headers },
    timeoutMs,
    trusted: true,
  });
  if (response.status !== 200) throw await refusal(response);
  const result = schema.safeParse(await response.json(LARGEST_ANSWER));
  if (!result.success) throw new AppError('upstream_failed', `The upstream did not answer with ${expected}`);
  return result.data;
}

const LARGEST_ERROR = 64 * 1024;

async function refusal(response: OutboundResponse): Promise<AppError> {
  const { message } = decodeError(await response.text(LARGEST_ERROR).catch(() => ''), response.status);
  return new AppError('upstream_failed', `The upstream answered ${response.status}: ${message}`);
}
