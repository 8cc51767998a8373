import * as z from 'zod';
import { Connection } from '../../../shared/connections/connection.ts';
import { ConnectionPatch, NewConnection } from '../../../shared/connections/form.ts';

const operator = { auth: 'platform' } as const;

const ConnectionView = Connection.omit({ sealed_key: true }).extend({ has_key: z.boolean() });
const Verified = z.object({ status: z.literal(true), models: z.array(z.string()), version: z.string().nullable() });

export const connectionRoutes = {
  listConnections: {
    ...operator,
    method: 'GET',
    path: '/api/v1/connections',
    summary: 'Where models come from, in order; keys are never shown',
    returns: z.array(ConnectionView),
  },
  createConnection: {
    ...operator,
    method: 'POST',
    path: '/api/v1/connections',
    summary: 'Add a model runtime or a compatible API; its key is sealed',
    body: NewConnection,
    returns: ConnectionView,
    errors: ['validation_failed'],
  },
  verifyConnection: {
    ...operator,
    method: 'POST',
    path: '/api/v1/connections/verify',
    summary: 'Ask an address for its models before saving it',
    body: NewConnection,
    returns: Verified,
    errors: ['upstream_failed', 'upstream_timeout', 'validation_failed'],
  },
  getConnection: {
    ...operator,
    method: 'GET',
    path: '/api/v1/connections/{connectionId}',
    summary: 'One connection',
    returns: ConnectionView,
    errors: ['not_found'],
  },
  changeConnection: {
    ...operator,
    method: 'PATCH',
    path: '/api/v1/connections/{connectionId}',
    summary: 'Change what is given; a null key removes it. A connection of the environment is saved with the change',
    body: ConnectionPatch,
    returns: ConnectionView,
    errors: ['not_found', 'stale_version', 'validation_failed'],
  },
  deleteConnection: {
    ...operator,
    method: 'DELETE',
    path: '/api/v1/connections/{connectionId}',
    summary: 'Delete what was saved; a connection of the environment is then as the environment says',
    returns: z.literal(true),
    errors: ['not_found'],
  },
  verifySaved: {
    ...operator,
    method: 'POST',
    path: '/api/v1/connections/{connectionId}/verify',
    summary: 'Ask a connection for its models',
    returns: Verified,
    errors: ['not_found', 'upstream_failed', 'upstream_timeout'],
  },
} as const;
