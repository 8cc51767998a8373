import type { Seal } from '../seal/seal.ts';
import type { Connection } from './connection.ts';

const context = (id: string) => ({ tenant: 'platform', field: `connection:${id}:key` });

export interface Keys {
  has(connection: Connection): boolean;
  close(id: string, key: string): Promise<string>;
  /** The key of a connection; opened once per process, because each opening is a call to the key service. */
  open(connection: Connection): Promise<string | undefined>;
}

const REMEMBERED = 1000;

export function createKeys(seal: Seal, seeded: ReadonlyMap<string, string>): Keys {
  const opened = new Map<string, Promise<string>>();
  const openOnce = (id: string, sealed: string) => {
    const known = opened.get(sealed);
    if (known) return known;
    if (opened.size >= REMEMBERED) opened.clear();
    const opening = seal.open(sealed, context(id));
    opened.set(sealed, opening);
    opening.catch(() => opened.delete(sealed));
    return opening;
  };
  return {
    has: ({ id, sealed_key, source }) => sealed_key !== null || (source === 'environment' && seeded.has(id)),
    close: (id, key) => seal.close(key, context(id)),
    open: async ({ id, sealed_key, source }) =>
      sealed_key !== null ? openOnce(id, sealed_key) : source === 'environment' ? seeded.get(id) : undefined,
  };
}

/** What a request to the connection carries. Placeholders in its own headers are filled with who asks for what. */
export function connectionHeaders(
  { headers, auth_type }: Connection,
  key: string | undefined,
  facts: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), fill(value, facts)]);
  return { ...credentials(auth_type, key), ...Object.fromEntries(own) };
}

function credentials(type: Connection['auth_type'], key: string | undefined): Record<string, string> {
  if (key === undefined || type === 'none') return {};
  return type === 'bearer' ? { authorization: `Bearer ${key}` } : { 'x-api-key': key };
}

/** A line break in a filled value would start a header of its own. */
const fill = (value: string, facts: Readonly<Record<string, string>>) =>
  value.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => facts[name]?.replaceAll(/[\r\n\0]/g, ' ') ?? whole);
