import type { PluginRow } from '../../shared/plugins/plugin.ts';
import { toSeconds, type Millis } from '../../shared/time.ts';
import type { PluginView } from './contract/plugin.ts';

export function toView(row: PluginRow): PluginView {
  const { definition, meta, created_at, updated_at } = row;
  const { name, version, icon, toggle, description } = definition;
  return {
    id: row.id,
    user_id: row.user_id,
    name: row.name,
    type: row.kind,
    meta: { description, ...meta, manifest: { title: name ?? row.name, version, icon_url: icon }, toggle },
    is_active: row.is_active,
    is_global: row.is_global,
    access_grants: row.access_grants,
    specs: Object.entries(definition.tools ?? {}).map(([tool, spec]) => ({ name: tool, ...spec })),
    has_user_valves: Object.keys(definition.userValves).length > 0,
    revision: row.revision,
    created_at: toSeconds(created_at as Millis),
    updated_at: toSeconds(updated_at as Millis),
  };
}
