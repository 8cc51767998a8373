import * as z from 'zod';
import { OrganizationView as FullOrganization, UserView } from '../../shared/accounts/views.ts';

/** Members without the admin role see short forms: everything optional is left out. */
export const OrganizationView = FullOrganization.partial().required({
  id: true,
  name: true,
  code: true,
  status: true,
  authProvider: true,
});
export type OrganizationView = z.output<typeof OrganizationView>;

export const MemberView = UserView.partial().required({ id: true, name: true });
export type MemberView = z.output<typeof MemberView>;

export const InviteView = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  role: UserView.shape.role,
  status: z.enum(['PENDING', 'EXPIRED']),
  groupIds: z.array(z.string()),
  departmentId: z.string().nullable(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type InviteView = z.output<typeof InviteView>;

export const UnitView = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Only departments stand below one another. */
  parentId: z.string().nullable().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type UnitView = z.output<typeof UnitView>;
