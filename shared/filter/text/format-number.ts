import { allocateText } from '../budget.ts';
import { FilterError, valueError } from '../errors.ts';
import { magnitude } from '../numbers/integers.ts';
import type { FormatSpec } from './format-spec.ts';
import { integerText } from './number-text.ts';
import { missingWidth, pad } from './pad.ts';

export interface NumberText {
  readonly isNegative: boolean;
  readonly prefix: string;
  /** Digits before the point; only these are grouped. */
  readonly integer: string;
  readonly rest: string;
  readonly groupSize: number;
}

const RADIX: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16, X: 16 };

export function formatInteger(value: bigint, spec: FormatSpec): string {
  if (spec.precision !== undefined) throw valueError('Precision not allowed in integer format specifier');
  if (spec.type === 'c') return formatCharacter(value, spec);
  const radix = RADIX[spec.type];
  if (spec.grouping === ',' && radix) throw valueError(`Cannot specify ',' with '${spec.type}'.`);
  if (spec.grouping && spec.type === 'n') throw valueError(`Cannot specify '${spec.grouping}' with 'n'.`);
  const digits = radix ? magnitude(value).toString(radix) : integerText(magnitude(value));
  return assemble(
    {
      isNegative: value < 0n,
      prefix: spec.isAlternate && radix ? `0${spec.type}` : '',
      integer: spec.type === 'X' ? digits.toUpperCase() : digits,
      rest: '',
      groupSize: radix ? 4 : 3,
    },
    spec,
  );
}

function formatCharacter(value: bigint, spec: FormatSpec): string {
  if (spec.sign) throw valueError("Sign not allowed with integer format specifier 'c'");
  return padded(codePoint(value), spec, '<');
}

export function codePoint(value: bigint): string {
  if (value < 0n || value > 0x10ffffn) throw new FilterError('overflow', '%c arg not in range(0x110000)');
  return String.fromCodePoint(Number(value));
}

/** Sign, prefix, grouping and padding around the digits. */
export function assemble(number: NumberText, spec: FormatSpec): string {
  const sign = number.isNegative ? '-' : spec.sign === '-' ? '' : spec.sign;
  const lead = sign + number.prefix;
  const body = groupedInteger(number, spec, lead.length) + number.rest;
  if (spec.align !== '=') return padded(lead + body, spec, '>');
  const missing = missingWidth(lead + body, spec.width);
  return lead + (spec.fill ?? ' ').repeat(missing) + body;
}

const padded = (text: string, { width, fill = ' ', align }: FormatSpec, standard: '<' | '>') =>
  pad(text, { width, fill, align: align === undefined || align === '=' ? standard : align });

function groupedInteger(number: NumberText, spec: FormatSpec, leadLength: number): string {
  const { integer, rest, groupSize } = number;
  if (!spec.grouping || groupSize === 0) return integer;
  const isZeroFilled = spec.align === '=' && spec.fill === '0';
  const width = isZeroFilled ? spec.width - leadLength - rest.length : 0;
  missingWidth('', Math.max(0, width));
  return group(integer.padStart(digitsFor(width, groupSize), '0'), spec.grouping, groupSize);
}

/** The fewest digits that fill this width once separators stand between their groups. */
function digitsFor(width: number, groupSize: number): number {
  let digits = Math.max(0, width - Math.ceil(width / (groupSize + 1)));
  while (digits + Math.floor(Math.max(0, digits - 1) / groupSize) < width) digits += 1;
  return digits;
}

function group(digits: string, separator: string, size: number): string {
  allocateText(digits.length * 2);
  const head = digits.length % size;
  const groups = head > 0 ? [digits.slice(0, head)] : [];
  for (let start = head; start < digits.length; start += size) groups.push(digits.slice(start, start + size));
  return groups.join(separator);
}
