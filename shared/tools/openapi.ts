import { isObject, listAt, objectAt, stringAt } from '../llm/json-value.ts';
import type { Fields } from '../llm/turn.ts';
import { createReferences, flatten, type References } from './openapi-schema.ts';
import { toText } from './tool.ts';

/** Where one argument of an operation goes, and how it is written there. */
export interface Input {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly style: string;
  readonly explode: boolean;
  readonly isJson: boolean;
}

export interface Body {
  readonly contentType: string;
  readonly format: 'json' | 'form' | 'text';
  /** The argument that is the whole body; undefined when its fields stand beside the other arguments. */
  readonly whole: string | undefined;
  readonly names: readonly string[];
  /** Takes fields that nobody has declared. */
  readonly isOpen: boolean;
}

/** One operation of an OpenAPI document, as a function with one object of arguments. */
export interface Operation {
  readonly name: string;
  readonly description: string;
  readonly method: string;
  readonly path: string;
  /** The address that the document gives, perhaps relative to its own. */
  readonly server: string | undefined;
  readonly inputs: readonly Input[];
  readonly body: Body | undefined;
  readonly parameters: Fields;
}

export interface Operations {
  readonly operations: readonly Operation[];
  /** By `operationId`, why a model is not offered it. */
  readonly leftOut: Readonly<Record<string, string>>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const MOST_OPERATIONS = 500;
const LONGEST_DESCRIPTION = 1024;

/** Every operation with an `operationId`. Those that take files cannot be called by a model. */
export function operationsOf(document: unknown): Operations {
  const references = createReferences(document);
  const found = Object.entries(objectAt(document, 'paths')).flatMap(([path, given]) => {
    const item = references.follow(given);
    return METHODS.flatMap((method) => {
      const operation = objectAt(item, method);
      const id = stringAt(operation, 'operationId');
      return id === undefined ? [] : [{ id, path, method, operation, item, document }];
    });
  });
  const operations: Operation[] = [];
  const leftOut: Record<string, string> = {};
  for (const [at, one] of found.entries()) {
    const read = at < MOST_OPERATIONS ? toOperation(one, references) : `is beyond the first ${MOST_OPERATIONS}`;
    if (typeof read === 'string') leftOut[one.id] = read;
    else operations.push(read);
  }
  return { operations, leftOut };
}

interface Found {
  readonly id: string;
  readonly path: string;
  readonly method: string;
  readonly operation: Fields;
  readonly item: Fields;
  readonly document: unknown;
}

/** The operation, or why there is none. A name that two places share is one argument, which goes to both. */
function toOperation(
  { id, path, method, operation, item, document }: Found,
  references: References,
): Operation | string {
  const given = parametersOf(item, operation, references);
  if (given.some((one) => one.in === 'cookie' && one.required === true)) return 'needs a cookie';
  const named = given.filter((one) => isSentAs(one));
  const body = bodyOf(operation, references, new Set(named.map(nameOf)));
  if (typeof body === 'string') return body;
  const properties = Object.fromEntries(named.map((one) => [nameOf(one), propertyOf(one, references)]));
  const required = named.filter((one) => one.required === true || one.in === 'path').map(nameOf);
  return {
    name: id.replaceAll(/[^\w-]/g, '_').slice(0, 64),
    description: (stringAt(operation, 'description') || stringAt(operation, 'summary') || id).slice(
      0,
      LONGEST_DESCRIPTION,
    ),
    method: method.toUpperCase(),
    path,
    server: serverOf([operation, item, document]),
    inputs: named.map(toInput),
    body: body?.plan,
    parameters: {
      type: 'object',
      properties: { ...properties, ...body?.properties },
      required: [...new Set([...required, ...(body?.required ?? [])])],
      ...(body?.plan.isOpen && { additionalProperties: true }),
    },
  };
}

const nameOf = (parameter: Fields) => String(parameter.name);

/** Those of the operation take the place of those that all operations of the path share. */
function parametersOf(item: Fields, operation: Fields, { follow }: References): Fields[] {
  const all = [...listAt(item, 'parameters'), ...listAt(operation, 'parameters')].map(follow);
  return [...new Map(all.map((one) => [`${String(one.in)} ${nameOf(one)}`, one])).values()];
}

/** Headers that say who asks, or how the request is made, are ours. */
const OUR_HEADERS = /^(authorization|cookie|host|accept|content-.*|connection|transfer-encoding|te|upgrade|expect)$/i;
const isSentAs = (one: Fields) =>
  one.in === 'path' || one.in === 'query' || (one.in === 'header' && !OUR_HEADERS.test(nameOf(one)));

function toInput(parameter: Fields): Input {
  const where = parameter.in === 'path' || parameter.in === 'header' ? parameter.in : 'query';
  const style = stringAt(parameter, 'style') ?? (where === 'query' ? 'form' : 'simple');
  return {
    name: nameOf(parameter),
    in: where,
    style,
    explode: typeof parameter.explode === 'boolean' ? parameter.explode : style === 'form',
    isJson: parameter.content !== undefined,
  };
}

function propertyOf(parameter: Fields, { writeOut }: References): Fields {
  const [content] = Object.values(objectAt(parameter, 'content'));
  const schema = writeOut(parameter.schema ?? (isObject(content) ? content.schema : undefined));
  const { description } = parameter;
  return { ...(isObject(schema) && schema), ...(typeof description === 'string' && { description }) };
}

const FORMATS: readonly (readonly [RegExp, Body['format']])[] = [
  [/^application\/(?:[\w.-]+\+)?json\b/i, 'json'],
  [/^application\/x-www-form-urlencoded\b/i, 'form'],
  [/^text\/plain\b/i, 'text'],
];

interface ReadBody {
  readonly plan: Body;
  readonly properties: Fields;
  readonly required: readonly string[];
}

function bodyOf(operation: Fields, references: References, taken: ReadonlySet<string>): ReadBody | string | undefined {
  const request = references.follow(operation.requestBody);
  const media = Object.entries(objectAt(request, 'content'));
  if (media.length === 0) return undefined;
  const chosen = FORMATS.flatMap(([pattern, format]) =>
    media.flatMap(([contentType, value]) => (pattern.test(contentType) ? [{ contentType, value, format }] : [])),
  )[0];
  if (!chosen) return `takes ${media.map(([type]) => type).join(' or ')}, and tools cannot send files`;
  const { contentType, value, format } = chosen;
  const written = references.writeOut(isObject(value) ? value.schema : undefined);
  const schema = isObject(written) ? written : {};
  const flat = format === 'text' ? undefined : flatten(schema);
  if (flat)
    return {
      plan: { contentType, format, whole: undefined, names: Object.keys(flat.properties), isOpen: flat.isOpen },
      ...flat,
    };
  const whole = taken.has('body') ? 'request_body' : 'body';
  return {
    plan: { contentType, format, whole, names: [], isOpen: false },
    properties: { [whole]: format === 'text' ? { type: 'string' } : schema },
    required: request.required === true ? [whole] : [],
  };
}

/** The nearest one counts. Its variables have the values that the document gives them. */
function serverOf(places: readonly unknown[]): string | undefined {
  const [server] = places.map((place) => listAt(place, 'servers')).find((servers) => servers.length > 0) ?? [];
  const variables = objectAt(server, 'variables');
  return stringAt(server, 'url')?.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    toText(objectAt(variables, name).default),
  );
}
