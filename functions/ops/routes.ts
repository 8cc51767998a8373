import * as z from 'zod';
import { defineRoutes } from '../../shared/http/route.ts';

const Status = z.object({ status: z.literal(true) });

export const Config = z.looseObject({
  status: z.literal(true),
  name: z.string(),
  version: z.string(),
  default_locale: z.string(),
  oauth: z.object({ providers: z.record(z.string(), z.string()), auto_redirect: z.boolean() }),
  features: z.record(z.string(), z.union([z.boolean(), z.number(), z.null()])),
});

export const routes = defineRoutes({
  health: {
    method: 'GET',
    path: '/health',
    auth: 'open',
    summary: 'Is the service up, with a real table read',
    returns: Status,
    errors: ['dependency_unavailable'],
  },
  healthDb: {
    method: 'GET',
    path: '/health/db',
    auth: 'open',
    summary: 'The same check under its older name',
    returns: Status,
    errors: ['dependency_unavailable'],
  },
  ready: {
    method: 'GET',
    path: '/ready',
    auth: 'open',
    summary: 'May this instance receive traffic',
    returns: Status,
    errors: ['dependency_unavailable'],
  },
  version: {
    method: 'GET',
    path: '/api/version',
    auth: 'open',
    summary: 'The running version',
    returns: z.object({ version: z.string(), deployment_id: z.string() }),
  },
  config: {
    method: 'GET',
    path: '/api/config',
    auth: 'optional',
    summary: 'The handshake every client makes first; richer when signed in',
    returns: Config,
  },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    auth: 'open',
    summary: 'The interface as OpenAPI 3.1; only when ENV is dev',
    returns: z.looseObject({ openapi: z.string() }),
    errors: ['not_found'],
  },
  docs: {
    method: 'GET',
    path: '/docs',
    auth: 'open',
    summary: 'Interactive documentation; only when ENV is dev',
    errors: ['not_found'],
  },
  docsAsset: {
    method: 'GET',
    path: '/docs/{asset}',
    auth: 'open',
    summary: 'Files of the documentation page',
    errors: ['not_found'],
  },
});
