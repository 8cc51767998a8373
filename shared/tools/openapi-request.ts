import { AppError } from '../errors.ts';
import { isObject } from '../llm/json-value.ts';
import type { Fields } from '../llm/turn.ts';
import { forHeader } from './headers.ts';
import type { Body, Input, Operation } from './openapi.ts';
import { toText } from './tool.ts';

export interface OperationRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** A call of an operation as the request that carries it out. */
export function requestOf(operation: Operation, args: Fields, base: string): OperationRequest {
  const { inputs, method, body } = operation;
  const at = (where: Input['in']) =>
    inputs.filter((input) => input.in === where && args[input.name] !== undefined && args[input.name] !== null);
  const query = new URLSearchParams(at('query').flatMap((input) => queryPairs(input, args[input.name])));
  const headers = at('header').map((input) => [input.name.toLowerCase(), forHeader(simple(input, args[input.name]))]);
  const content = body && contentOf(body, operation, args);
  return {
    url: `${base}${filledPath(operation, args)}${query.size > 0 ? `?${query.toString()}` : ''}`,
    method,
    headers: {
      ...(Object.fromEntries(headers) as Record<string, string>),
      ...(content !== undefined && body && { 'content-type': body.contentType }),
    },
    body: content,
  };
}

/**
 * Where operations are found: at the address that an operator has given, or where the document says, as long as that is at
 * the same place. Keys are not carried elsewhere because a document says so.
 */
export function baseOf(given: string | undefined, serverUrl: string, documentUrl: string): string {
  if (given === undefined || /^\.?\/?$/.test(given) || !URL.canParse(given, documentUrl)) return serverUrl;
  const url = new URL(given, documentUrl);
  return url.origin === new URL(serverUrl).origin ? `${url.origin}${url.pathname}`.replace(/\/+$/, '') : serverUrl;
}

function filledPath({ path, inputs }: Operation, args: Fields): string {
  return inputs
    .filter((input) => input.in === 'path')
    .reduce((at, input) => at.replaceAll(`{${input.name}}`, () => segmentOf(input, args[input.name])), path);
}

/** Dots alone would climb out of the path, however they are written. */
function segmentOf(input: Input, value: unknown): string {
  const text = value === undefined || value === null ? '' : simple(input, value);
  if (/^\.{0,2}$/.test(text)) throw new AppError('invalid_request', `${input.name} cannot be "${text}"`);
  return encodeURIComponent(text).replaceAll('%2C', ',');
}

/** Lists and objects in one piece of text, as in paths and headers. */
function simple({ isJson, explode }: Input, value: unknown): string {
  if (isJson) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map(toText).join(',');
  if (!isObject(value)) return toText(value);
  return Object.entries(value)
    .map(([name, one]) => `${name}${explode ? '=' : ','}${toText(one)}`)
    .join(',');
}

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

function queryPairs(input: Input, value: unknown): [string, string][] {
  const { name, style, explode, isJson } = input;
  if (isJson) return [[name, JSON.stringify(value)]];
  if (isObject(value) && style === 'deepObject')
    return Object.entries(value).map(([field, one]) => [`${name}[${field}]`, toText(one)]);
  if (isObject(value) && explode) return Object.entries(value).map(([field, one]) => [field, toText(one)]);
  if (Array.isArray(value) && explode) return value.map((one) => [name, toText(one)]);
  if (Array.isArray(value)) return [[name, value.map(toText).join(SEPARATORS[style] ?? ',')]];
  return [[name, simple(input, value)]];
}

/** Undefined when there is nothing to send. */
function contentOf(body: Body, { inputs }: Operation, args: Fields): string | undefined {
  const value =
    body.whole === undefined ? fieldsOf(body, new Set(inputs.map(({ name }) => name)), args) : args[body.whole];
  if (value === undefined) return undefined;
  if (body.format === 'json') return JSON.stringify(value);
  if (body.format === 'text' || !isObject(value)) return toText(value);
  const pairs = Object.entries(value).flatMap(([name, one]) =>
    [one].flat().map((item): [string, string] => [name, toText(item)]),
  );
  return new URLSearchParams(pairs).toString();
}

const fieldsOf = ({ names, isOpen }: Body, elsewhere: ReadonlySet<string>, args: Fields): Fields =>
  Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name) || (isOpen && !elsewhere.has(name))));
