import * as z from 'zod';
import type { UserActor } from '../identity/actor.ts';

export const SpaceMember = z.object({ user_id: z.string().min(1).max(80), role: z.enum(['viewer', 'editor']) });

/** A space is what runs should know: instructions for every agent, variables for every expression. */
export const SpaceRow = z.object({
  tenant: z.string(),
  id: z.string(),
  name: z.string(),
  description: z.string(),
  instructions: z.string(),
  knowledge: z.array(z.object({ type: z.enum(['file', 'collection']), id: z.string() })),
  /** JSON text, because rows cannot hold deep values. */
  variables: z.string(),
  visibility: z.enum(['tenant', 'members']),
  members: z.array(SpaceMember),
  user_id: z.string(),
  revision: z.int(),
  created_at: z.int(),
  updated_at: z.int(),
});
export type SpaceRow = z.output<typeof SpaceRow>;

const isAdmin = ({ role }: UserActor) => role === 'ROLE_ORG_ADMIN';
const roleIn = ({ userId }: UserActor, { members }: SpaceRow) =>
  members.find(({ user_id }) => user_id === userId)?.role;

export const maySeeSpace = (actor: UserActor, space: SpaceRow) =>
  space.visibility === 'tenant' ||
  space.user_id === actor.userId ||
  isAdmin(actor) ||
  roleIn(actor, space) !== undefined;

export const mayEditSpace = (actor: UserActor, space: SpaceRow) =>
  space.user_id === actor.userId || isAdmin(actor) || roleIn(actor, space) === 'editor';
