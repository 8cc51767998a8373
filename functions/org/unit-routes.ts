import * as z from 'zod';
import { defineRoutes } from '../../shared/http/route.ts';
import { pageOf, Paging } from '../../shared/http/paging.ts';
import { MemberView, UnitView } from './views.ts';

const name = z.string().trim().min(1).max(100);
const description = z.string().trim().max(500);
const parentId = z.string().max(100).nullable();

const Group = z.object({ name, description: description.default('') });
const Department = Group.extend({ parentId: parentId.default(null) });
const Members = z.object({ userIds: z.array(z.string().max(100)).max(1000) });
const Membership = z.object({ added: z.number(), removed: z.number() });

export const unitRoutes = defineRoutes({
  groups: {
    method: 'GET',
    path: '/api/org/groups',
    auth: 'user',
    summary: 'The groups of your organization',
    returns: z.object({ data: z.array(UnitView) }),
    errors: ['no_organization'],
  },
  createGroup: {
    method: 'POST',
    path: '/api/org/groups',
    auth: 'orgAdmin',
    summary: 'Create a group',
    body: Group,
    returns: UnitView,
    status: 201,
    errors: ['name_taken', 'conflict'],
  },
  updateGroup: {
    method: 'PUT',
    path: '/api/org/groups/{unitId}',
    auth: 'orgAdmin',
    summary: 'Rename or describe a group',
    body: z.object({ name, description }).partial(),
    returns: UnitView,
    errors: ['not_found', 'name_taken'],
  },
  deleteGroup: {
    method: 'DELETE',
    path: '/api/org/groups/{unitId}',
    auth: 'orgAdmin',
    summary: 'Delete a group; its members stay members of the organization',
    errors: ['not_found'],
  },
  groupMembers: {
    method: 'GET',
    path: '/api/org/groups/{unitId}/members',
    auth: 'orgAdmin',
    summary: 'Who is in a group',
    query: Paging,
    returns: pageOf(MemberView),
    errors: ['not_found'],
  },
  setGroupMembers: {
    method: 'PUT',
    path: '/api/org/groups/{unitId}/members',
    auth: 'orgAdmin',
    summary: 'Make exactly these people the members of a group',
    body: Members,
    returns: Membership,
    errors: ['not_found', 'conflict'],
  },
  departments: {
    method: 'GET',
    path: '/api/org/departments',
    auth: 'user',
    summary: 'The departments of your organization',
    returns: z.object({ data: z.array(UnitView) }),
    errors: ['no_organization'],
  },
  createDepartment: {
    method: 'POST',
    path: '/api/org/departments',
    auth: 'orgAdmin',
    summary: 'Create a department, below another one if you like',
    body: Department,
    returns: UnitView,
    status: 201,
    errors: ['name_taken', 'conflict'],
  },
  updateDepartment: {
    method: 'PUT',
    path: '/api/org/departments/{unitId}',
    auth: 'orgAdmin',
    summary: 'Rename, describe or move a department',
    body: z.object({ name, description, parentId }).partial(),
    returns: UnitView,
    errors: ['not_found', 'name_taken', 'conflict'],
  },
  deleteDepartment: {
    method: 'DELETE',
    path: '/api/org/departments/{unitId}',
    auth: 'orgAdmin',
    summary: 'Delete a department that has none below it; its members stay members of the organization',
    errors: ['not_found', 'conflict'],
  },
  departmentMembers: {
    method: 'GET',
    path: '/api/org/departments/{unitId}/members',
    auth: 'orgAdmin',
    summary: 'Who is in a department',
    query: Paging,
    returns: pageOf(MemberView),
    errors: ['not_found'],
  },
  setDepartmentMembers: {
    method: 'PUT',
    path: '/api/org/departments/{unitId}/members',
    auth: 'orgAdmin',
    summary: 'Make exactly these people the members of a department; a person is in one at most',
    body: Members,
    returns: Membership,
    errors: ['not_found', 'conflict'],
  },
});
