import { AppError, invalidField } from '../../shared/errors.ts';
import type { Role } from '../../shared/identity/actor.ts';

/** The roles a person in an organization can have; `ROLE_ADMIN` is what the admin role was called before. */
export function assignableRole(text: string): Role {
  switch (text) {
    case 'ROLE_USER':
      return 'ROLE_USER';
    case 'ROLE_ORG_ADMIN':
    case 'ROLE_ADMIN':
      return 'ROLE_ORG_ADMIN';
    case 'ROLE_PLATFORM_OWNER':
      throw new AppError('role_not_assignable', 'Nobody in an organization can be given this role');
    default:
      throw invalidField(['body', 'role'], 'Give ROLE_USER or ROLE_ORG_ADMIN');
  }
}
