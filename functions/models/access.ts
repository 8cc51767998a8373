import type { Grant } from '../../shared/connections/grant.ts';
import type { ModelForm } from './contract/description.ts';

type Given = Pick<Partial<ModelForm>, 'access_grants' | 'access_control'>;

/** The grants that a form asks for, in either spelling; undefined when it says nothing about access. */
export function grantsOf({ access_grants, access_control }: Given): Grant[] | null | undefined {
  if (access_grants !== undefined) return access_grants;
  if (access_control === undefined) return undefined;
  if (access_control === null) return [{ principal_type: 'user', principal_id: '*', permission: 'read' }];
  return (['read', 'write'] as const).flatMap((permission) => {
    const { user_ids = [], group_ids = [] } = access_control[permission] ?? {};
    const grant = (principal_type: Grant['principal_type']) => (principal_id: string) => ({
      principal_type,
      principal_id,
      permission,
    });
    return [...user_ids.map(grant('user')), ...group_ids.map(grant('group'))];
  });
}
