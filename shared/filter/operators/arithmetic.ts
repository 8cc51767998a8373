import * as floats from '../numbers/floats.ts';
import * as integers from '../numbers/integers.ts';
import type { BinaryOperator } from '../syntax/node.ts';
import { floatOf, integerOf, isInteger, type Numeric } from '../values/numeric.ts';
import type { Value } from '../values/value.ts';

type Rule<Operand> = (left: Operand, right: Operand) => bigint | number;

const INTEGER_RULES: Readonly<Partial<Record<BinaryOperator, Rule<bigint>>>> = {
  '+': integers.add,
  '-': (left, right) => integers.add(left, -right),
  '*': integers.multiply,
  '/': integers.trueDivide,
  '//': integers.floorDivide,
  '%': integers.modulo,
  '**': integers.power,
  '<<': integers.shiftLeft,
  '>>': integers.shiftRight,
  '&': (left, right) => left & right,
  '|': (left, right) => left | right,
  '^': (left, right) => left ^ right,
};

const FLOAT_RULES: Readonly<Partial<Record<BinaryOperator, Rule<number>>>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': floats.divide,
  '//': (left, right) => floats.floorDivMod(left, right).quotient,
  '%': (left, right) => floats.floorDivMod(left, right).remainder,
  '**': floats.power,
};

/** What an operator does with two numbers; undefined where it does not apply. */
export function numericRule(operator: BinaryOperator): (left: Numeric, right: Numeric) => Value | undefined {
  const integerRule = INTEGER_RULES[operator];
  const floatRule = FLOAT_RULES[operator];
  const keepsBooleans = '&|^'.includes(operator);
  return (left, right) => {
    if (!isInteger(left) || !isInteger(right)) return floatRule?.(floatOf(left), floatOf(right));
    const result = integerRule?.(integerOf(left), integerOf(right));
    const isBoolean = keepsBooleans && typeof left === 'boolean' && typeof right === 'boolean';
    return isBoolean ? result === 1n : result;
  };
}
