import * as z from 'zod';
import { PluginView, SyncedPlugin } from './plugin.ts';
import { registryContract } from './registry.ts';

const base = '/api/v1/functions';
const registry = registryContract(base, 'function');

/** Functions can also be moved from one installation to another. */
export const functionRoutes = {
  ...registry,
  export: {
    ...registry.export,
    summary: 'Every function with its source, and with what is set in valves when that is asked for',
    query: z.object({ include_valves: z.stringbool().default(false) }),
  },
  sync: {
    method: 'POST',
    path: `${base}/sync`,
    auth: 'platform',
    summary: 'Exactly these functions from now on, or nothing changes; what is the same already is left alone',
    body: z.object({ functions: z.array(SyncedPlugin).max(500) }),
    returns: z.array(PluginView),
    errors: ['conflict', 'payload_too_large', 'stale_version', 'validation_failed'],
  },
  loadUrl: {
    method: 'POST',
    path: `${base}/load/url`,
    auth: 'platform',
    summary: 'Fetch a source to look at before it is created',
    body: z.object({ url: z.url({ protocol: /^https?$/ }).max(2048) }),
    returns: z.object({ name: z.string(), content: z.string() }),
    errors: ['address_refused', 'invalid_request', 'upstream_failed', 'validation_failed'],
  },
} as const;
