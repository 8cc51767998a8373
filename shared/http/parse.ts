import * as z from 'zod';
import { AppError, invalid, type Problem } from '../errors.ts';
import { parseExact } from '../exact-json.ts';
import { queryOf, type HttpRequest } from './request.ts';
import type { BodyType, Route } from './route.ts';

/** The platform's own ceiling: a Lambda event carries 6 MB, and binary bodies travel as base64. */
export const MAX_TEXT_BODY = 6 * 1024 * 1024;
export const MAX_BINARY_BODY = 4.5 * 1024 * 1024;

export async function parseBody(route: Route, request: HttpRequest): Promise<unknown> {
  const type = route.bodyType ?? 'json';
  if (!route.body && type !== 'bytes') return undefined;
  if (type === 'bytes') return new Uint8Array(await request.arrayBuffer());
  const raw = await READERS[type](request);
  return check(route.body, raw, 'body');
}

export const parseQuery = (route: Route, request: HttpRequest) =>
  route.query ? check(route.query, collect(queryOf(request).entries()), 'query') : {};

const READERS: Record<Exclude<BodyType, 'bytes'>, (request: HttpRequest) => Promise<unknown>> = {
  json: (request) => readJson(request, JSON.parse),
  exactJson: (request) => readJson(request, parseExact),
  form: readForm,
  multipart: readMultipart,
};

async function readJson(request: HttpRequest, parse: (text: string) => unknown): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (type.startsWith('multipart/') || type.startsWith('application/x-www-form-urlencoded')) {
    throw new AppError('unsupported_media_type', 'Send this body as application/json');
  }
  const text = await request.text();
  if (text === '') return undefined;
  sentTexts.set(request, text);
  try {
    return parse(text);
  } catch (cause) {
    throw brokenJson(cause);
  }
}

const sentTexts = new WeakMap<HttpRequest, string>();

/** A JSON body as it was sent, for whoever passes it on unchanged. */
export const sentText = (request: HttpRequest): string | undefined => sentTexts.get(request);

function brokenJson(cause: unknown) {
  const message = cause instanceof Error ? cause.message : 'not JSON';
  const offset = Number(/position (\d+)/.exec(message)?.[1] ?? 0);
  return invalid([{ type: 'json_invalid', loc: ['body', offset], msg: `JSON decode error: ${message}` }]);
}

/** OAuth callbacks post forms; scripts often send the same fields as JSON. */
async function readForm(request: HttpRequest): Promise<unknown> {
  if ((request.headers.get('content-type') ?? '').startsWith('application/json')) return readJson(request, JSON.parse);
  return Object.fromEntries(new URLSearchParams(await request.text()));
}

async function readMultipart(request: HttpRequest): Promise<unknown> {
  if (!(request.headers.get('content-type') ?? '').startsWith('multipart/form-data')) {
    throw new AppError('unsupported_media_type', 'Send this body as multipart/form-data');
  }
  const form = await request.formData().catch((cause: unknown) => {
    throw invalid([{ type: 'multipart_invalid', loc: ['body'], msg: `Broken multipart body: ${String(cause)}` }]);
  });
  return collect(form.entries());
}

/** A name that stands once is a value, one that repeats is a list. */
function collect<T>(entries: Iterable<[string, T]>) {
  const out: Record<string, T | T[]> = Object.create(null) as Record<string, T | T[]>;
  for (const [name, value] of entries) {
    const before = out[name];
    if (before === undefined) out[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else out[name] = [before, value];
  }
  return { ...out };
}

function check(schema: z.ZodType | undefined, value: unknown, where: 'body' | 'query') {
  if (!schema) return value;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(result.error.issues.map((issue) => toProblem(issue, where, value)));
}

function toProblem(issue: z.core.$ZodIssue, where: string, input: unknown): Problem {
  const loc = [where, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))];
  const isMissing = issue.code === 'invalid_type' && valueAt(input, issue.path) === undefined;
  return isMissing ? { type: 'missing', loc, msg: 'Field required' } : { type: issue.code, loc, msg: issue.message };
}

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined), input);
