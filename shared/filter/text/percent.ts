import { allocateText, step } from '../budget.ts';
import { budgetError, FilterError, typeError, valueError } from '../errors.ts';
import { truncate } from '../numbers/convert.ts';
import { magnitude } from '../numbers/integers.ts';
import { lookUp } from '../values/collect.ts';
import { isDict, isList, isRange, isTuple, isTypeObject, typeName } from '../values/kinds.ts';
import { clampedIndex, floatOf, integerOf, isInteger, isNumeric } from '../values/numeric.ts';
import type { Value } from '../values/value.ts';
import { lengthOf } from './code-points.ts';
import { firstCharacters, format } from './format.ts';
import { codePoint } from './format-number.ts';
import { missingWidth, pad } from './pad.ts';
import { asciiOnly, quote } from './quote.ts';
import { repr, textOf } from './repr.ts';

const MAX_TEMPLATE = 4096;
const DIRECTIVE =
  /%(?:\((?<name>[^)]*)\))?(?<flags>[-+ #0]*)(?<width>\*|\d+)?(?:\.(?<precision>\*|\d+))?[hlL]?(?<type>[^])?/g;

interface Directive {
  readonly flags: string;
  readonly width: number;
  readonly precision?: number;
  readonly type: string;
}

interface Source {
  readonly value: Value;
  readonly positional: readonly Value[];
  taken: number;
  isMapped: boolean;
}

/** The `%` operator of strings. */
export function formatPercent(template: string, value: Value): string {
  if (template.length > MAX_TEMPLATE) throw budgetError('format string too long');
  const source: Source = { value, positional: isTuple(value) ? value.items : [value], taken: 0, isMapped: false };
  let text = '';
  let from = 0;
  for (const match of template.matchAll(DIRECTIVE)) {
    step(4);
    const written = writeDirective(match.groups ?? {}, source);
    allocateText(written.length);
    text += template.slice(from, match.index) + written;
    from = match.index + match[0].length;
  }
  if (hasLeftOver(source)) throw typeError('not all arguments converted during string formatting');
  return text + template.slice(from);
}

function hasLeftOver({ value, positional, taken, isMapped }: Source): boolean {
  if (isMapped || taken >= positional.length) return false;
  return !(isDict(value) || isList(value) || isRange(value) || isTypeObject(value));
}

function writeDirective(groups: Record<string, string | undefined>, source: Source): string {
  const { type, name, flags = '' } = groups;
  if (type === undefined) throw valueError('incomplete format');
  if (type === '%') return '%';
  const width = amount(groups.width, source) ?? 0;
  const asked = amount(groups.precision, source);
  const precision = asked === undefined ? undefined : Math.max(0, asked);
  const value = name === undefined ? take(source) : takeNamed(source, name);
  const alignLeft = width < 0 && !flags.includes('-') ? '-' : '';
  return writeValue(value, { flags: flags + alignLeft, width: Math.abs(width), precision, type });
}

function amount(text: string | undefined, source: Source): number | undefined {
  if (text !== '*') return text === undefined ? undefined : Number(text);
  const value = take(source);
  if (!isInteger(value)) throw typeError('* wants int');
  return clampedIndex(integerOf(value));
}

function take(source: Source): Value {
  const value = source.positional[source.taken];
  if (value === undefined) throw typeError('not enough arguments for format string');
  source.taken += 1;
  return value;
}

function takeNamed(source: Source, name: string): Value {
  if (!isDict(source.value)) throw typeError('format requires a mapping');
  const value = lookUp(source.value, name);
  if (value === undefined) throw new FilterError('key', quote(name));
  source.isMapped = true;
  return value;
}

function writeValue(value: Value, directive: Directive): string {
  const { type, precision } = directive;
  if (type === 'c') return aligned(writeCharacter(value), directive);
  if ('diuxXo'.includes(type)) return aligned(writeInteger(value, directive), directive);
  if ('eEfFgG'.includes(type)) return writeFloat(value, directive);
  if (!'sra'.includes(type)) throw valueError(`unsupported format character '${type}'`);
  const text = type === 's' ? textOf(value) : type === 'r' ? repr(value) : asciiOnly(repr(value));
  return aligned(precision === undefined ? text : firstCharacters(text, precision), directive);
}

const aligned = (text: string, { width, flags }: Directive) =>
  pad(text, { width, fill: ' ', align: flags.includes('-') ? '<' : '>' });

function writeInteger(value: Value, { type, flags, width, precision = 0 }: Directive): string {
  const isDecimal = 'diu'.includes(type);
  if (!isNumeric(value) || (typeof value === 'number' && !isDecimal)) {
    throw typeError(
      `%${type} format: ${isDecimal ? 'a real number' : 'an integer'} is required, not ${typeName(value)}`,
    );
  }
  const integer = typeof value === 'number' ? truncate(value) : integerOf(value);
  const sign = integer < 0n ? '-' : signFlag(flags);
  const alternate = flags.includes('#') ? '#' : '';
  const digits = zeroFilled(format(magnitude(integer), alternate + (isDecimal ? 'd' : type)), precision);
  const fillsZeros = flags.includes('0') && !flags.includes('-');
  return sign + (fillsZeros ? zeroFilled(digits, width - sign.length) : digits);
}

const zeroFilled = (digits: string, width: number) => '0'.repeat(missingWidth(digits, width)) + digits;

function writeFloat(value: Value, { type, flags, width, precision = 6 }: Directive): string {
  if (!isNumeric(value)) throw typeError(`must be real number, not ${typeName(value)}`);
  const isLeft = flags.includes('-');
  const align = isLeft ? '<' : flags.includes('0') ? '' : '>';
  const alternate = flags.includes('#') ? '#' : '';
  const zero = align === '' ? '0' : '';
  return format(floatOf(value), `${align}${signFlag(flags)}${alternate}${zero}${width || ''}.${precision}${type}`);
}

const signFlag = (flags: string) => (flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '');

function writeCharacter(value: Value): string {
  if (typeof value === 'string' && lengthOf(value) === 1) return value;
  if (isInteger(value)) return codePoint(integerOf(value));
  throw typeError('%c requires int or char');
}
