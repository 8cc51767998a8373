import * as z from 'zod';
import { AppError } from '../errors.ts';
import type { Outbound } from '../net/outbound.ts';
import { createTurnstile } from './turnstile.ts';

const Asked = z.object({
  url: z.string().max(8192),
  method: z.string().max(16).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.string().optional(),
});

const LARGEST_ANSWER = 8 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

const AT_ONCE = 6;

/** The `fetch` of one call: answers are held in our memory, so there are never many at once. */
export function createFetch(outbound: Outbound, signal?: AbortSignal) {
  const inTurn = createTurnstile(AT_ONCE);
  return (given: unknown) => inTurn(() => fetchForPlugin(outbound, given, signal));
}

/** A plugin reaches what any caller could: never the inside of the network. */
async function fetchForPlugin(outbound: Outbound, given: unknown, signal?: AbortSignal) {
  const asked = Asked.safeParse(given);
  if (!asked.success) throw new AppError('plugin_failed', 'fetch takes an address, method, headers and a text as body');
  const { url, ...options } = asked.data;
  const response = await outbound.request(url, { ...options, timeoutMs: TIMEOUT_MS, redirects: 5, signal });
  const headers = Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]);
  return {
    status: response.status,
    url: response.url,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: await response.text(LARGEST_ANSWER),
  };
}
