import { createHash } from 'node:crypto';
import type { Definition, Described } from '../../shared/plugins/definition.ts';
import type { PluginRow } from '../../shared/plugins/plugin.ts';
import { priorityOf } from '../../shared/plugins/priority.ts';
import type { Millis } from '../../shared/time.ts';
import type { NewPlugin } from './contract/plugin.ts';

export const digestOf = (source: string) => createHash('sha256').update(source).digest('hex').slice(0, 32);

export interface Birth {
  readonly uid: string;
  readonly user_id: string;
  readonly now: Millis;
}

/** Functions change what everybody gets, so they start switched off; tools wait for a grant instead. */
export const newRow = (given: NewPlugin, { kind, definition, methods }: Described, birth: Birth): PluginRow => ({
  id: given.id,
  uid: birth.uid,
  kind,
  name: given.name ?? definition.name ?? given.id,
  user_id: birth.user_id,
  meta: ownMeta(given.meta, definition),
  definition,
  methods,
  digest: digestOf(given.content),
  is_active: kind === 'tool',
  is_global: false,
  access_grants: given.access_grants,
  sealed_valves: null,
  priority: priorityOf(definition, {}),
  created_at: birth.now,
  updated_at: birth.now,
  revision: 1,
});

type Meta = Readonly<Record<string, unknown>>;

/** Clients send back what they were shown, but what the module says is read from the module. */
export function ownMeta({ manifest: _manifest, toggle: _toggle, ...meta }: Meta, { description }: Definition): Meta {
  if (meta['description'] !== description) return meta;
  const { description: _description, ...rest } = meta;
  return rest;
}
