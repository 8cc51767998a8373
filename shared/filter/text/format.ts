import { typeError, valueError } from '../errors.ts';
import { typeName } from '../values/kinds.ts';
import { floatOf, integerOf, isInteger, type Numeric } from '../values/numeric.ts';
import type { Value } from '../values/value.ts';
import { characters } from './code-points.ts';
import { formatFloat } from './format-float.ts';
import { formatInteger } from './format-number.ts';
import { parseSpec, type FormatSpec } from './format-spec.ts';
import { pad } from './pad.ts';
import { textOf } from './repr.ts';

const INTEGER_TYPES = new Set(['', 'b', 'c', 'd', 'o', 'x', 'X', 'n']);
const FLOAT_TYPES = new Set(['', 'e', 'E', 'f', 'F', 'g', 'G', 'n', '%']);

/** format(value, spec), as f-strings use it. */
export function format(value: Value, specText: string): string {
  if (specText === '') return textOf(value);
  const type = typeName(value);
  if (typeof value === 'object') throw typeError(`unsupported format string passed to ${type}.__format__`);
  const spec = parseSpec(specText, type);
  return typeof value === 'string' ? formatText(value, spec) : formatNumber(value, spec);
}

function formatNumber(value: Numeric, spec: FormatSpec): string {
  if (isInteger(value) && INTEGER_TYPES.has(spec.type)) return formatInteger(integerOf(value), spec);
  if (FLOAT_TYPES.has(spec.type)) return formatFloat(floatOf(value), spec);
  throw valueError(`Unknown format code '${spec.type}' for object of type '${isInteger(value) ? 'int' : 'float'}'`);
}

function formatText(value: string, spec: FormatSpec): string {
  const { type, sign, isAlternate, align, isZeroPadded, grouping, precision } = spec;
  if (type && type !== 's') throw valueError(`Unknown format code '${type}' for object of type 'str'`);
  if (sign) throw valueError('Sign not allowed in string format specifier');
  if (isAlternate) throw valueError('Alternate form (#) not allowed in string format specifier');
  if (align === '=' && !isZeroPadded) throw valueError("'=' alignment not allowed in string format specifier");
  if (grouping) throw valueError(`Cannot specify '${grouping}' with 's'.`);
  const text = precision === undefined ? value : firstCharacters(value, precision);
  return pad(text, {
    width: spec.width,
    fill: spec.fill ?? ' ',
    align: align === undefined || align === '=' ? '<' : align,
  });
}

export const firstCharacters = (text: string, count: number): string =>
  text.length <= count ? text : characters(text).slice(0, count).join('');
