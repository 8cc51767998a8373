import * as z from 'zod';
import { STATUS } from '../errors.ts';
import type { Access } from '../identity/actor.ts';
import type { Route, Routes } from './route.ts';

interface Documented {
  readonly title: string;
  readonly version: string;
  readonly server: string;
  readonly families: Readonly<Record<string, Routes>>;
}

/** The contracts as OpenAPI 3.1: what `/docs` shows is what the router runs. */
export function toOpenApi({ title, version, server, families }: Documented) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [family, routes] of Object.entries(families)) {
    for (const [name, route] of Object.entries(routes)) {
      (paths[route.path.replaceAll('+}', '}')] ??= {})[route.method.toLowerCase()] = operation(family, name, route);
    }
  }
  return {
    openapi: '3.1.0',
    info: { title, version },
    servers: [{ url: server }],
    tags: Object.keys(families).map((name) => ({ name })),
    paths,
    components: { securitySchemes: SCHEMES, schemas: { Error: errorSchema } },
  };
}

const SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'A login token, or an API key that starts with sk-' },
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  eventKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'The event ingestion key' },
};

const errorSchema = {
  type: 'object',
  required: ['detail', 'error'],
  properties: {
    detail: { description: 'The message, or the list of problems of an invalid body' },
    error: {
      type: 'object',
      required: ['code', 'message', 'request_id'],
      properties: { code: { enum: Object.keys(STATUS) }, message: { type: 'string' }, request_id: { type: 'string' } },
    },
  },
};

const operation = (family: string, name: string, route: Route) => ({
  operationId: `${family}_${name}`,
  tags: [family],
  summary: route.summary,
  security: SECURITY[route.auth],
  parameters: [...pathParameters(route.path), ...queryParameters(route.query)],
  ...(route.body || route.bodyType ? { requestBody: requestBody(route) } : {}),
  responses: { ...success(route), ...failures(route) },
});

const SIGNED_IN = [{ bearer: [] }, { apiKey: [] }];
const SECURITY: Record<Access, readonly object[]> = {
  open: [],
  recipient: [],
  optional: [{}, ...SIGNED_IN],
  user: SIGNED_IN,
  orgAdmin: SIGNED_IN,
  platform: [{ bearer: [] }],
  signedIn: SIGNED_IN,
  eventKey: [{ eventKey: [] }],
};

const pathParameters = (path: string) =>
  [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

function queryParameters(query: z.ZodObject | undefined) {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOf(query, 'input');
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

const MEDIA = {
  json: 'application/json',
  exactJson: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  bytes: 'application/octet-stream',
};

function requestBody(route: Route) {
  const schema = route.body ? schemaOf(route.body, 'input') : { type: 'string', format: 'binary' };
  return { required: true, content: { [MEDIA[route.bodyType ?? 'json']]: { schema } } };
}

function success(route: Route) {
  const streams =
    route.mayStream || (route.transport === 'stream' && !route.returns) ? { 'text/event-stream': {} } : {};
  const json = route.returns ? { 'application/json': { schema: schemaOf(route.returns, 'output') } } : {};
  const status = route.status ?? (route.returns || route.transport === 'stream' ? 200 : 204);
  return { [status]: { description: route.summary, content: { ...json, ...streams } } };
}

function failures(route: Route) {
  const usual = route.auth === 'open' ? [] : [401, 403];
  const own = (route.errors ?? []).map((code) => STATUS[code]);
  const invalid = route.body || route.query ? [422] : [];
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return Object.fromEntries(
    [...usual, ...own, ...invalid].map((status) => [status, { description: `Error ${status}`, content }]),
  );
}

interface JsonSchema {
  readonly properties?: Record<string, unknown>;
  readonly required?: readonly string[];
}

/** Files and other values JSON cannot describe are shown as free-form. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest as JsonSchema;
}
