import type { Millis } from '../time.ts';
import type { Connection } from './connection.ts';
import type { Keys } from './credentials.ts';
import type { NewConnection } from './form.ts';

/** Where the operator says nothing: open to everyone, so that a new connection can be used at once. */
export const newConnection = ({ key, ...form }: NewConnection, id: string, at: Millis): Connection => ({
  name: new URL(form.url).host,
  enabled: true,
  prefix_id: '',
  model_ids: [],
  tags: [],
  headers: {},
  auth_type: !key ? 'none' : form.api_type === 'messages' ? 'x-api-key' : 'bearer',
  api_type: 'chat',
  access: 'everyone',
  access_grants: [],
  position: 0,
  ...form,
  id,
  sealed_key: null,
  source: 'saved',
  created_at: at,
  updated_at: at,
  revision: 1,
});

/** As long as nobody gives another key, a connection of the environment keeps that of the environment. */
export async function keyChange(keys: Keys, { id, auth_type }: Connection, key: string | null | undefined) {
  if (key === undefined) return {};
  if (key === null) return { sealed_key: null, source: 'saved' as const };
  const sealed_key = await keys.close(id, key);
  return { sealed_key, source: 'saved' as const, ...(auth_type === 'none' && { auth_type: 'bearer' as const }) };
}
