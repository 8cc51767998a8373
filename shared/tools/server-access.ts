import type { Outbound } from '../net/outbound.ts';
import type { Seal } from '../seal/seal.ts';
import type { Settings } from '../settings/variables.ts';
import { systemClock } from '../time.ts';
import { forwardedHeaders, type ForwardSettings } from './forwarded-headers.ts';
import { filledHeaders, type Caller } from './headers.ts';
import type { ToolServer } from './server.ts';

export interface AccessParts {
  readonly settings: ForwardSettings & Pick<Settings, 'MCP_INITIALIZE_TIMEOUT' | 'SVC_URL'>;
  readonly outbound: Outbound;
  readonly seal: Seal;
}

const contextOf = (id: string) => ({ tenant: 'platform', field: `tool-server:${id}:key` });

export const sealKey = (seal: Seal, id: string, key: string) => seal.close(key, contextOf(id));

/** Each opening is a call to the key service. */
const opened = new Map<string, Promise<string>>();
const REMEMBERED = 500;

function openKey(seal: Seal, { id, sealed_key }: ToolServer): Promise<string> | undefined {
  if (sealed_key === null) return undefined;
  const known = opened.get(sealed_key);
  if (known) return known;
  if (opened.size >= REMEMBERED) opened.clear();
  const opening = seal.open(sealed_key, contextOf(id));
  opened.set(sealed_key, opening);
  opening.catch(() => opened.delete(sealed_key));
  return opening;
}

/** What every request to a tool server carries: its own key, its own headers, and who asks if that is switched on. */
export async function serverHeaders({ settings, seal }: AccessParts, server: ToolServer, caller: Caller | undefined) {
  const key = server.auth_type === 'bearer' ? await openKey(seal, server) : undefined;
  return {
    ...(caller && forwardedHeaders(settings, caller, systemClock())),
    ...(key && { authorization: `Bearer ${key}` }),
    ...(caller ? filledHeaders(server.headers, caller) : plainHeaders(server.headers)),
  };
}

/** Where nobody asks, as when an operator tries a server out, there is nothing to fill in. */
export const plainHeaders = (headers: ToolServer['headers']) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value.includes('{{') ? [] : [[name.toLowerCase(), value]])),
  );
