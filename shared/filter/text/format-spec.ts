import { valueError } from '../errors.ts';
import { asciiDigits } from './digits.ts';

/** A format spec such as ">10,.2f", taken apart. */
export interface FormatSpec {
  readonly fill?: string;
  readonly align?: '<' | '>' | '=' | '^';
  readonly sign: string;
  /** Negative zero loses its sign. */
  readonly isZeroUnsigned: boolean;
  readonly isAlternate: boolean;
  readonly isZeroPadded: boolean;
  readonly width: number;
  readonly grouping: string;
  readonly precision?: number;
  /** The presentation type, or nothing. */
  readonly type: string;
}

const SPEC =
  /^(?:(?<fill>.)?(?<align>[<>=^]))?(?<sign>[-+ ])?(?<unsigned>z)?(?<alternate>#)?(?<zero>0)?(?<width>\p{Nd}+)?(?<grouping>[,_])?(?:\.(?<precision>\p{Nd}+))?(?<type>[a-zA-Z%])?$/su;

export function parseSpec(text: string, typeName: string): FormatSpec {
  const groups = SPEC.exec(text)?.groups;
  if (!groups) throw valueError(`Invalid format specifier '${text}' for object of type '${typeName}'`);
  const isZeroPadded = groups.zero !== undefined;
  return {
    fill: groups.fill ?? (isZeroPadded ? '0' : undefined),
    align: alignment(groups.align) ?? (isZeroPadded ? '=' : undefined),
    sign: groups.sign ?? '',
    isZeroUnsigned: groups.unsigned !== undefined,
    isAlternate: groups.alternate !== undefined,
    isZeroPadded,
    width: Number(asciiDigits(groups.width ?? '0')),
    grouping: groups.grouping ?? '',
    precision: groups.precision === undefined ? undefined : Number(asciiDigits(groups.precision)),
    type: groups.type ?? '',
  };
}

function alignment(text: string | undefined): FormatSpec['align'] {
  return text === '<' || text === '>' || text === '=' || text === '^' ? text : undefined;
}
