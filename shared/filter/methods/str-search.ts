import { method, takes, type Argument, type Methods } from '../builtins/signature.ts';
import { step } from '../budget.ts';
import { typeError, valueError } from '../errors.ts';
import { characters, lengthOf, paySearch } from '../text/code-points.ts';
import { isTuple, typeName } from '../values/kinds.ts';
import { clampedIndex, integerOf, isInteger } from '../values/numeric.ts';
import type { Value } from '../values/value.ts';

const bounded = takes(['sub'], ['start', 'end']);

export const searchMethods: Methods<string> = new Map([
  method('find', bounded, (text: string, ...args) => find(windowOf(text, args), 'indexOf')),
  method('rfind', bounded, (text: string, ...args) => find(windowOf(text, args), 'lastIndexOf')),
  method('index', bounded, (text: string, ...args) => mustFind(windowOf(text, args), 'indexOf')),
  method('rindex', bounded, (text: string, ...args) => mustFind(windowOf(text, args), 'lastIndexOf')),
  method('count', bounded, (text: string, ...args) => count(windowOf(text, args))),
  method('startswith', bounded, (text: string, ...args) => hasAffix(text, args, 'startsWith')),
  method('endswith', bounded, (text: string, ...args) => hasAffix(text, args, 'endsWith')),
]);

type Bounds = readonly [needle: Value, start: Argument, end: Argument];

/** The part of a text between two positions, and where it begins; undefined when the bounds cross. */
interface Window {
  readonly text: string;
  readonly offset: number;
}

interface Search {
  readonly window: Window | undefined;
  readonly needle: string;
}

function windowOf(text: string, [needle, start, end]: Bounds): Search {
  if (typeof needle !== 'string') throw typeError(`must be str, not ${typeName(needle)}`);
  return { window: cut(text, start, end), needle };
}

function cut(text: string, start: Argument, end: Argument): Window | undefined {
  const [from, to] = [bound(start), bound(end)];
  if (from === undefined && to === undefined) return { text, offset: 0 };
  const chars = characters(text);
  const within = (position: number) => (position < 0 ? Math.max(0, position + chars.length) : position);
  const first = within(from ?? 0);
  const last = Math.min(within(to ?? chars.length), chars.length);
  return first > last ? undefined : { text: chars.slice(first, last).join(''), offset: first };
}

function bound(value: Argument): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isInteger(value)) throw typeError('slice indices must be integers or None or have an __index__ method');
  return clampedIndex(integerOf(value));
}

function find({ window, needle }: Search, search: 'indexOf' | 'lastIndexOf'): bigint {
  if (!window) return -1n;
  paySearch(window.text, needle);
  const unit = window.text[search](needle);
  return unit < 0 ? -1n : BigInt(window.offset + lengthOf(window.text.slice(0, unit)));
}

function mustFind(search: Search, direction: 'indexOf' | 'lastIndexOf'): bigint {
  const position = find(search, direction);
  if (position < 0n) throw valueError('substring not found');
  return position;
}

function count({ window, needle }: Search): bigint {
  if (!window) return 0n;
  if (needle === '') return BigInt(lengthOf(window.text) + 1);
  paySearch(window.text, needle);
  return BigInt(window.text.split(needle).length - 1);
}

function hasAffix(text: string, [affix, start, end]: Bounds, test: 'startsWith' | 'endsWith'): boolean {
  const window = cut(text, start, end);
  const name = test.toLowerCase();
  const matches = (candidate: Value) => {
    if (typeof candidate !== 'string') throw typeError(affixMessage(name, affix, candidate));
    step(candidate.length / 32);
    return window !== undefined && window.text[test](candidate);
  };
  return isTuple(affix) ? affix.items.some(matches) : matches(affix);
}

const affixMessage = (name: string, affix: Value, found: Value) =>
  isTuple(affix)
    ? `tuple for ${name} must only contain str, not ${typeName(found)}`
    : `${name} first arg must be str or a tuple of str, not ${typeName(found)}`;
