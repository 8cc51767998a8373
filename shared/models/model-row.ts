import * as z from 'zod';
import { Grant } from '../connections/grant.ts';

const Fields = z.record(z.string(), z.unknown());

/**
 * A model that somebody has described: with a base model it is a model of its own (other settings, a system prompt, tools),
 * without one it changes how the base model of the same id is shown and who may use it.
 */
export const ModelRow = z.object({
  /** `platform` for what operators describe, else the organization or user whose model it is. */
  tenant: z.string(),
  id: z.string(),
  user_id: z.string(),
  base_model_id: z.string().nullable(),
  name: z.string(),
  meta: Fields,
  params: Fields,
  /** Null: as for its base model. */
  access_grants: z.array(Grant).nullable(),
  is_active: z.boolean(),
  created_at: z.number(),
  updated_at: z.number(),
  revision: z.number(),
});
export type ModelRow = z.output<typeof ModelRow>;

export const PLATFORM = 'platform';
