import * as z from 'zod';
import { Address, PersonName } from '../../shared/accounts/inputs.ts';
import { pageOf, Paging } from '../../shared/http/paging.ts';
import { defineRoutes } from '../../shared/http/route.ts';
import { OperatorView } from './views.ts';

/** Operators manage operators. Nobody acts on themselves, and the last active one stays. */
export const operatorRoutes = defineRoutes({
  operators: {
    method: 'GET',
    path: '/api/admin/auth/admins',
    auth: 'platform',
    summary: 'All platform operators, by address; q is the beginning of one',
    query: Paging.extend({ q: z.string().trim().toLowerCase().max(254).optional() }),
    returns: pageOf(OperatorView),
  },
  createOperator: {
    method: 'POST',
    path: '/api/admin/auth/admins',
    auth: 'platform',
    summary: 'Make someone a platform operator; a mailed link lets them set their password',
    body: z.object({ name: PersonName, email: Address }),
    returns: OperatorView,
    status: 201,
    errors: ['email_taken'],
  },
  updateOperator: {
    method: 'PUT',
    path: '/api/admin/auth/admins/{adminId}',
    auth: 'platform',
    summary: 'Change the name or address of an operator; a new address ends every session',
    body: z.object({ name: PersonName.optional(), email: Address.optional() }),
    returns: OperatorView,
    errors: ['not_found', 'email_taken'],
  },
  deactivateOperator: {
    method: 'POST',
    path: '/api/admin/auth/admins/{adminId}/deactivate',
    auth: 'platform',
    summary: 'Switch an operator off, from the next request on',
    returns: OperatorView,
    errors: ['not_found', 'last_admin', 'cannot_act_on_self'],
  },
  reactivateOperator: {
    method: 'POST',
    path: '/api/admin/auth/admins/{adminId}/reactivate',
    auth: 'platform',
    summary: 'Switch an operator on again',
    returns: OperatorView,
    errors: ['not_found', 'cannot_act_on_self'],
  },
  deleteOperator: {
    method: 'DELETE',
    path: '/api/admin/auth/admins/{adminId}',
    auth: 'platform',
    summary: 'Delete an operator',
    errors: ['not_found', 'last_admin', 'cannot_act_on_self'],
  },
});
