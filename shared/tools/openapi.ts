import { isObject, listAt, objectAt, stringAt } from '../llm/json-value.ts';
import type { Fields } from '../llm/turn.ts';

/** One operation of an OpenAPI document, as a function with one object of arguments. */
export interface Operation {
  readonly name: string;
  readonly description: string;
  readonly method: string;
  readonly path: string;
  readonly pathNames: readonly string[];
  readonly queryNames: readonly string[];
  readonly hasBody: boolean;
  readonly parameters: Fields;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const MOST_OPERATIONS = 500;

/** Every operation with an `operationId`; parameters of the path, the query and the body stand side by side. */
export function operationsOf(document: unknown): Operation[] {
  const resolve = createResolver(document);
  return Object.entries(objectAt(document, 'paths'))
    .flatMap(([path, item]) =>
      METHODS.flatMap((method) => {
        const operation = objectAt(resolve(item), method);
        const id = stringAt(operation, 'operationId');
        const common = listAt(resolve(item), 'parameters');
        return id === undefined ? [] : [toOperation({ id, path, method, operation, common }, resolve)];
      }),
    )
    .slice(0, MOST_OPERATIONS);
}

interface Found {
  readonly id: string;
  readonly path: string;
  readonly method: string;
  readonly operation: Fields;
  readonly common: readonly Fields[];
}

type Resolve = (value: unknown) => unknown;

function toOperation({ id, path, method, operation, common }: Found, resolve: Resolve): Operation {
  const given = [...common, ...listAt(operation, 'parameters')].map(resolve).filter(isObject);
  const named = given.filter((one) => one.in === 'path' || one.in === 'query');
  const body = bodySchema(operation, resolve);
  const properties = Object.fromEntries(named.map((one) => [String(one.name), propertyOf(one)]));
  const required = named.filter((one) => one.required === true || one.in === 'path').map((one) => String(one.name));
  const nameOf = (where: string) => named.filter((one) => one.in === where).map((one) => String(one.name));
  return {
    name: id.replaceAll(/[^\w-]/g, '_').slice(0, 64),
    description: stringAt(operation, 'description') ?? stringAt(operation, 'summary') ?? id,
    method: method.toUpperCase(),
    path,
    pathNames: nameOf('path'),
    queryNames: nameOf('query'),
    hasBody: body !== undefined,
    parameters: {
      type: 'object',
      properties: { ...properties, ...objectAt(body, 'properties') },
      required: [...new Set([...required, ...stringsAt(body, 'required')])],
    },
  };
}

const propertyOf = (parameter: Fields): Fields => ({
  ...objectAt(parameter, 'schema'),
  ...(typeof parameter.description === 'string' && { description: parameter.description }),
});

const stringsAt = (value: unknown, key: string): string[] => {
  const found = isObject(value) ? value[key] : undefined;
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
};

function bodySchema(operation: Fields, resolve: Resolve): Fields | undefined {
  const content = objectAt(resolve(operation.requestBody), 'content');
  const schema = objectAt(content, 'application/json').schema;
  return isObject(schema) ? schema : undefined;
}

const DEEPEST = 12;

/** References within the document are written out; one that runs in circles ends as anything. */
function createResolver(document: unknown): Resolve {
  const at = (reference: string) =>
    reference
      .replace(/^#\//, '')
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>(
        (found, part) => (isObject(found) && Object.hasOwn(found, part) ? found[part] : undefined),
        document,
      );
  const resolve = (value: unknown, depth: number): unknown => {
    if (depth > DEEPEST) return {};
    if (Array.isArray(value)) return value.map((one) => resolve(one, depth + 1));
    if (!isObject(value)) return value;
    if (typeof value.$ref === 'string') return value.$ref.startsWith('#/') ? resolve(at(value.$ref), depth + 1) : {};
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolve(one, depth + 1)]));
  };
  return (value) => resolve(value, 0);
}
