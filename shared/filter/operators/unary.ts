import { step } from '../budget.ts';
import { typeError } from '../errors.ts';
import type { UnaryOperator } from '../syntax/node.ts';
import { typeName } from '../values/kinds.ts';
import { integerOf, isInteger } from '../values/numeric.ts';
import { isTrue } from '../values/truth.ts';
import type { Value } from '../values/value.ts';

export function applyUnary(operator: UnaryOperator, operand: Value): Value {
  step();
  if (operator === 'not') return !isTrue(operand);
  if (isInteger(operand)) {
    const value = integerOf(operand);
    return operator === '-' ? -value : operator === '+' ? value : ~value;
  }
  if (typeof operand === 'number' && operator !== '~') return operator === '-' ? -operand : operand;
  throw typeError(`bad operand type for unary ${operator}: '${typeName(operand)}'`);
}
