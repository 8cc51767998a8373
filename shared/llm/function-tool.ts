import { isObject, stringAt } from './json-value.ts';
import type { Fields, FunctionTool, ResponseFormat } from './turn.ts';

/** A function as its format describes it; undefined when it has no name, so is something else. */
export function decodeFunction(spec: Fields, schema: unknown = spec.parameters): FunctionTool | undefined {
  const name = stringAt(spec, 'name');
  return name === undefined ? undefined : { type: 'function', name, ...described(spec), ...parametersOf(schema) };
}

export const encodeFunction = ({ name, description, parameters, strict }: FunctionTool): Fields => ({
  name,
  ...(description !== undefined && { description }),
  ...(parameters && { parameters }),
  ...(strict !== undefined && { strict }),
});

/** What formats that can ask for a schema say about it. */
export function decodeSchemaFormat(spec: Fields): ResponseFormat | undefined {
  const { name, schema } = spec;
  if (!isObject(schema)) return undefined;
  return { type: 'json_schema', schema, ...(typeof name === 'string' && { name }), ...described(spec) };
}

const described = ({ description, strict }: Fields) => ({
  ...(typeof description === 'string' && { description }),
  ...(typeof strict === 'boolean' && { strict }),
});

const parametersOf = (schema: unknown) => (isObject(schema) ? { parameters: schema } : {});

/** For formats that want a schema even of a function without parameters. */
export const NO_PARAMETERS: Fields = { type: 'object', properties: {} };
