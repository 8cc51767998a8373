import * as z from 'zod';
import type { OperatorActor, UserActor } from '../identity/actor.ts';

export type Viewer = UserActor | OperatorActor;

/** Who may use something. `user` with the id `*` is everyone. */
export const Grant = z.object({
  principal_type: z.enum(['user', 'group']),
  principal_id: z.string().min(1).max(256),
  permission: z.enum(['read', 'write']).default('read'),
});
export type Grant = z.output<typeof Grant>;

/** Who may change something may also use it. */
export const isGranted = (grants: readonly Grant[], actor: UserActor, permission: Grant['permission'] = 'read') =>
  grants.some(
    (grant) =>
      (permission === 'read' || grant.permission === 'write') &&
      (grant.principal_type === 'user'
        ? grant.principal_id === '*' || grant.principal_id === actor.userId
        : actor.groups.includes(grant.principal_id)),
  );
