import * as z from 'zod';
import { Grant } from '../connections/grant.ts';
import { Definition, KINDS } from './definition.ts';

/** An uploaded plugin without its source. */
export const PluginRow = z.object({
  id: z.string(),
  /** Differs when an id is used anew, so that nothing of its predecessor is found. */
  uid: z.string(),
  kind: z.enum(KINDS),
  name: z.string(),
  user_id: z.string(),
  meta: z.record(z.string(), z.unknown()),
  definition: Definition,
  methods: z.array(z.string()),
  /** Names the source; two equal sources are the same. */
  digest: z.string(),
  is_active: z.boolean(),
  /** Filters and actions: for every model. */
  is_global: z.boolean(),
  /** Tools: who may use them besides operators. */
  access_grants: z.array(Grant),
  sealed_valves: z.string().nullable(),
  /** Filters: what was set in a valve of this name, readable without opening the others. */
  priority: z.number().optional(),
  created_at: z.number(),
  updated_at: z.number(),
  revision: z.number(),
});
export type PluginRow = z.output<typeof PluginRow>;

/** Ids are part of model ids and tool names, so nothing in them may be read as something else. */
export const PluginId = z.string().regex(/^[a-z_][a-z0-9_]{0,63}$/, 'Small letters, digits and _ only');

/** The order in which filters run. */
export const byPriority = (a: Prioritized, b: Prioritized) => a.priority - b.priority || (a.id < b.id ? -1 : 1);

export interface Prioritized {
  readonly id: string;
  readonly priority: number;
}
