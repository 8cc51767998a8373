import { allocateText, step } from '../budget.ts';
import { budgetError, FilterError, valueError } from '../errors.ts';
import { subscript } from '../operators/subscript.ts';
import { format } from '../text/format.ts';
import { asciiOnly, quote } from '../text/quote.ts';
import { repr, textOf } from '../text/repr.ts';
import type { Keywords, Value } from '../values/value.ts';

type ReadAttribute = (object: Value, name: string) => Value;

interface Source {
  readonly positional: readonly Value[];
  readonly keywords: Keywords;
  readonly readAttribute: ReadAttribute;
  numbering: 'none' | 'automatic' | 'manual';
  next: number;
}

const MAX_TEMPLATE = 4096;
const MAX_DEPTH = 2;
const FIELD = /^(?<name>[^!:[.]*)(?<path>(?:\.[^.[!:]+|\[[^\]]*\])*)(?:!(?<conversion>[rsa]))?(?::(?<spec>[^]*))?$/;
const STEP = /\.(?<attribute>[^.[]+)|\[(?<index>[^\]]*)\]/g;

/** str.format(); attributes in its fields are read by the same rules as everywhere else. */
export const formatMethod =
  (readAttribute: ReadAttribute) =>
  (template: string, positional: readonly Value[], keywords: Keywords): string => {
    if (template.length > MAX_TEMPLATE) throw budgetError('format string too long');
    return expand(template, { positional, keywords, readAttribute, numbering: 'none', next: 0 }, MAX_DEPTH);
  };

function expand(template: string, source: Source, depth: number): string {
  if (depth === 0) throw valueError('Max string recursion exceeded');
  let text = '';
  let at = 0;
  while (at < template.length) {
    step();
    const char = template.charAt(at);
    const isDoubled = template.charAt(at + 1) === char;
    if (char === '{' && !(isDoubled && depth === MAX_DEPTH)) {
      const end = fieldEnd(template, at);
      text += writeField(template.slice(at + 1, end), source, depth);
      at = end + 1;
    } else if (char === '}' && !isDoubled) {
      throw valueError("Single '}' encountered in format string");
    } else {
      text += char;
      at += char === '{' || char === '}' ? 2 : 1;
    }
  }
  allocateText(text.length);
  return text;
}

/** The brace that closes the one at `start`. */
function fieldEnd(template: string, start: number): number {
  let open = 0;
  for (let at = start; at < template.length; at += 1) {
    const char = template.charAt(at);
    if (char === '{') open += 1;
    if (char === '}') open -= 1;
    if (open === 0) return at;
  }
  throw valueError("expected '}' before end of string");
}

function writeField(field: string, source: Source, depth: number): string {
  const groups = FIELD.exec(field)?.groups;
  if (!groups) throw valueError('unsupported format field');
  const found = follow(argument(groups.name ?? '', source), groups.path ?? '', source);
  const value = convert(found, groups.conversion);
  const spec = groups.spec ?? '';
  return format(value, spec.includes('{') ? expand(spec, source, depth - 1) : spec);
}

function argument(name: string, source: Source): Value {
  if (name !== '' && !/^\d+$/.test(name)) {
    const value = source.keywords.get(name);
    if (value === undefined) throw new FilterError('key', quote(name));
    return value;
  }
  const position = name === '' ? automatic(source) : manual(source, name);
  const value = source.positional[position];
  if (value === undefined) {
    throw new FilterError('index', `Replacement index ${position} out of range for positional args tuple`);
  }
  return value;
}

function automatic(source: Source): number {
  if (source.numbering === 'manual') {
    throw valueError('cannot switch from manual field specification to automatic field numbering');
  }
  source.numbering = 'automatic';
  source.next += 1;
  return source.next - 1;
}

function manual(source: Source, name: string): number {
  if (source.numbering === 'automatic') {
    throw valueError('cannot switch from automatic field numbering to manual field specification');
  }
  source.numbering = 'manual';
  return Number(name);
}

/** Goes along `.name` and `[index]` after a field's name. */
function follow(start: Value, path: string, { readAttribute }: Source): Value {
  let value = start;
  for (const { groups } of path.matchAll(STEP)) {
    const { attribute, index = '' } = groups ?? {};
    if (attribute !== undefined) value = readAttribute(value, attribute);
    else value = subscript(value, /^\d+$/.test(index) ? BigInt(index) : index);
  }
  return value;
}

function convert(value: Value, conversion: string | undefined): Value {
  if (conversion === undefined) return value;
  if (conversion === 's') return textOf(value);
  return conversion === 'r' ? repr(value) : asciiOnly(repr(value));
}
