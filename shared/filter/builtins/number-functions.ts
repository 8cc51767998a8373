import { FilterError, typeError, unsupported, valueError } from '../errors.ts';
import { floorDivMod } from '../numbers/floats.ts';
import { floorDivide, magnitude, modulo, powerModulo } from '../numbers/integers.ts';
import { round } from '../numbers/round.ts';
import { binaryRule } from '../operators/binary.ts';
import { format } from '../text/format.ts';
import { iterate } from '../values/iterate.ts';
import { typeName } from '../values/kinds.ts';
import { floatOf, indexOf, integerOf, isInteger, isNumeric } from '../values/numeric.ts';
import { tuple, type FunctionValue, type Value } from '../values/value.ts';
import { builtin, takes, type Argument } from './signature.ts';

const add = binaryRule('+');
const power = binaryRule('**');

export const numberFunctions: readonly FunctionValue[] = [
  builtin('abs', takes(['x'], []), absolute),
  builtin('round', takes(['number'], ['ndigits'], 0), (value, digits) => round(value, digits ?? null)),
  builtin('divmod', takes(['x', 'y'], []), divideWithRemainder),
  builtin('pow', takes(['base', 'exp'], ['mod'], 0), raise),
  builtin('sum', takes(['iterable'], ['start'], 1), sum),
  builtin('bin', takes(['number'], []), (value) => format(indexOf(value), '#b')),
  builtin('oct', takes(['number'], []), (value) => format(indexOf(value), '#o')),
  builtin('hex', takes(['number'], []), (value) => format(indexOf(value), '#x')),
  builtin('chr', takes(['i'], []), character),
];

function absolute(value: Value): Value {
  if (typeof value === 'number') return Math.abs(value);
  if (isInteger(value)) return magnitude(integerOf(value));
  throw typeError(`bad operand type for abs(): '${typeName(value)}'`);
}

function divideWithRemainder(left: Value, right: Value): Value {
  if (isInteger(left) && isInteger(right)) {
    const [dividend, divisor] = [integerOf(left), integerOf(right)];
    return tuple([floorDivide(dividend, divisor), modulo(dividend, divisor)]);
  }
  if (!isNumeric(left) || !isNumeric(right)) {
    throw typeError(`unsupported operand type(s) for divmod(): '${typeName(left)}' and '${typeName(right)}'`);
  }
  const { quotient, remainder } = floorDivMod(floatOf(left), floatOf(right));
  return tuple([quotient, remainder]);
}

function raise(base: Value, exponent: Value, modulus: Argument): Value {
  if (modulus === undefined || modulus === null) return power(base, exponent);
  if (!isInteger(base) || !isInteger(exponent) || !isInteger(modulus)) {
    throw typeError('pow() 3rd argument not allowed unless all arguments are integers');
  }
  if (integerOf(modulus) === 0n) throw valueError('pow() 3rd argument cannot be 0');
  if (integerOf(exponent) < 0n) throw unsupported('modular inverse is not supported');
  return powerModulo(integerOf(base), integerOf(exponent), integerOf(modulus));
}

function sum(source: Value, start: Argument): Value {
  let total: Value = start ?? 0n;
  if (typeof total === 'string') throw typeError("sum() can't sum strings [use ''.join(seq) instead]");
  for (const item of iterate(source)) total = add(total, item);
  return total;
}

function character(value: Value): Value {
  const point = indexOf(value);
  if (BigInt.asIntN(32, point) !== point) throw new FilterError('overflow', 'Python int too large to convert to C int');
  if (point < 0n || point > 0x10ffffn) throw valueError('chr() arg not in range(0x110000)');
  return String.fromCodePoint(Number(point));
}
