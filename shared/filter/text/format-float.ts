import { fixedDigits, leadingDigits } from '../numbers/exact-decimal.ts';
import { assemble } from './format-number.ts';
import type { FormatSpec } from './format-spec.ts';
import { exponentText, floatText, plainText } from './number-text.ts';

const DEFAULT_PRECISION = 6;

export function formatFloat(value: number, spec: FormatSpec): string {
  const scaled = spec.type === '%' ? value * 100 : value;
  const suffix = spec.type === '%' ? '%' : '';
  const body = Number.isFinite(scaled) ? finiteText(scaled, spec) : Number.isNaN(scaled) ? 'nan' : 'inf';
  const text = 'EFG'.includes(spec.type || '-') ? body.toUpperCase() : body;
  const [integer = ''] = /^\d*/.exec(text) ?? [];
  return assemble(
    {
      isNegative: isNegative(scaled, body, spec),
      prefix: '',
      integer,
      rest: text.slice(integer.length) + suffix,
      groupSize: Number.isFinite(scaled) ? 3 : 0,
    },
    spec,
  );
}

function isNegative(value: number, body: string, spec: FormatSpec): boolean {
  if (value >= 0 && !Object.is(value, -0)) return false;
  if (Number.isNaN(value)) return false;
  const isZero = !/[1-9i]/.test(body.split('e')[0] ?? '');
  return !(spec.isZeroUnsigned && isZero);
}

function finiteText(value: number, spec: FormatSpec): string {
  switch (spec.type.toLowerCase()) {
    case 'f':
    case '%':
      return pointed(fixedDigits(value, spec.precision ?? DEFAULT_PRECISION), spec);
    case 'e':
      return scientific(value, spec);
    default:
      if (spec.type === '' && spec.precision === undefined) return floatText(Math.abs(value));
      return general(value, spec);
  }
}

function scientific(value: number, spec: FormatSpec): string {
  const { digits, exponent } = leadingDigits(value, (spec.precision ?? DEFAULT_PRECISION) + 1);
  return `${mantissa(digits, spec)}e${exponentText(exponent)}`;
}

/** Types g and n, and no type with a precision: plain or scientific, whichever is shorter. */
function general(value: number, spec: FormatSpec): string {
  const precision = Math.max(spec.precision ?? DEFAULT_PRECISION, 1);
  const { digits, exponent } = leadingDigits(value, precision);
  const highest = spec.type === '' ? precision - 1 : precision;
  if (exponent < -4 || exponent >= highest) {
    const kept = spec.isAlternate ? digits : digits.charAt(0) + digits.slice(1).replace(/0+$/, '');
    return `${mantissa(kept, spec)}e${exponentText(exponent)}`;
  }
  const plain = plainText(digits, exponent);
  const text = spec.isAlternate || !plain.includes('.') ? plain : plain.replace(/\.?0+$/, '');
  const pointedText = pointed(text, spec);
  return spec.type === '' && !pointedText.includes('.') ? `${pointedText}.0` : pointedText;
}

const mantissa = (digits: string, spec: FormatSpec) =>
  digits.length > 1 ? `${digits.charAt(0)}.${digits.slice(1)}` : pointed(digits, spec);

/** The alternate form always shows a decimal point. */
const pointed = (text: string, spec: FormatSpec) => (spec.isAlternate && !text.includes('.') ? `${text}.` : text);
