import * as z from 'zod';
import { Grant } from '../../../shared/connections/grant.ts';
import { KINDS } from '../../../shared/plugins/definition.ts';
import { PluginId } from '../../../shared/plugins/plugin.ts';

const Meta = z.looseObject({ description: z.string().optional() });
const Source = z
  .string()
  .min(1)
  .max(1024 * 1024);

export const PluginView = z.object({
  id: z.string(),
  user_id: z.string(),
  name: z.string(),
  type: z.enum(KINDS),
  meta: Meta,
  is_active: z.boolean(),
  is_global: z.boolean(),
  access_grants: z.array(Grant),
  /** Of tools: what a model is told about them. */
  specs: z.array(z.looseObject({ name: z.string() })),
  has_user_valves: z.boolean(),
  revision: z.int(),
  created_at: z.int(),
  updated_at: z.int(),
  content: z.string().optional(),
  /** What operators have set, where that was asked for. */
  valves: z.record(z.string(), z.unknown()).optional(),
  /** Of tool servers that every user connects for themselves: whether the caller has. */
  authenticated: z.boolean().optional(),
});
export type PluginView = z.output<typeof PluginView>;

export const NewPlugin = z.object({
  id: PluginId,
  name: z.string().min(1).max(256).optional(),
  content: Source,
  meta: Meta.default({}),
  access_grants: z.array(Grant).max(1000).default([]),
});
export type NewPlugin = z.output<typeof NewPlugin>;

/** A function as it was exported. What is not given stays as it is, or starts as a new one does. */
export const SyncedPlugin = NewPlugin.extend({
  meta: Meta.optional(),
  access_grants: z.array(Grant).max(1000).optional(),
  is_active: z.boolean().optional(),
  is_global: z.boolean().optional(),
  /** Null puts all of them back to their defaults. */
  valves: z.record(z.string(), z.unknown()).nullish(),
});
export type SyncedPlugin = z.output<typeof SyncedPlugin>;

export const PluginChange = z.object({
  name: z.string().min(1).max(256).optional(),
  content: Source.optional(),
  meta: Meta.optional(),
  access_grants: z.array(Grant).max(1000).optional(),
  /** When given: only this revision may be changed. */
  revision: z.int().optional(),
});
export type PluginChange = z.output<typeof PluginChange>;
