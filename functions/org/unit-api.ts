import type { Handlers } from '../../shared/http/route.ts';
import { orgOf } from './service.ts';
import type { UnitMembers } from './unit-members.ts';
import type { unitRoutes } from './unit-routes.ts';
import type { UnitRegister } from './units.ts';

export interface UnitServices {
  readonly units: UnitRegister;
  readonly unitMembers: UnitMembers;
}

/** The same rules under two names. */
export const unitHandlers = ({ units, unitMembers }: UnitServices): Handlers<typeof unitRoutes> => {
  const remove = async (...[by, kind, unitId]: Parameters<typeof units.delete>) => {
    const place = { orgId: by.actor.orgId, kind };
    // People leave before it goes, and once more after, in case someone joined in between.
    await unitMembers.clear(place, unitId);
    await units.delete(by, kind, unitId);
    await unitMembers.clear(place, unitId);
  };
  return {
    groups: async ({ actor }) => ({ data: await units.list(orgOf(actor), 'GROUP') }),
    createGroup: (context) => units.create(context, 'GROUP', context.body),
    updateGroup: (context) => units.update(context, 'GROUP', { ...context.body, unitId: context.params.unitId }),
    deleteGroup: (context) => remove(context, 'GROUP', context.params.unitId),
    groupMembers: ({ actor: { orgId }, params, query }) =>
      unitMembers.list({ orgId, kind: 'GROUP' }, params.unitId, query),
    setGroupMembers: (context) =>
      unitMembers.replace(
        context,
        { orgId: context.actor.orgId, kind: 'GROUP' },
        { ...context.params, ...context.body },
      ),
    departments: async ({ actor }) => ({ data: await units.list(orgOf(actor), 'DEPT') }),
    createDepartment: (context) => units.create(context, 'DEPT', context.body),
    updateDepartment: (context) => units.update(context, 'DEPT', { ...context.body, unitId: context.params.unitId }),
    deleteDepartment: (context) => remove(context, 'DEPT', context.params.unitId),
    departmentMembers: ({ actor: { orgId }, params, query }) =>
      unitMembers.list({ orgId, kind: 'DEPT' }, params.unitId, query),
    setDepartmentMembers: (context) =>
      unitMembers.replace(
        context,
        { orgId: context.actor.orgId, kind: 'DEPT' },
        { ...context.params, ...context.body },
      ),
  };
};
