import { step } from '../budget.ts';
import { typeError, unsupported } from '../errors.ts';
import type { BinaryOperator } from '../syntax/node.ts';
import { formatPercent } from '../text/percent.ts';
import { isDict, isTypeObject, typeName } from '../values/kinds.ts';
import { isNumeric } from '../values/numeric.ts';
import type { Value } from '../values/value.ts';
import { numericRule } from './arithmetic.ts';
import { concatenate, repeat } from './sequences.ts';
import { combineSets, mergeDicts } from './sets.ts';

type Rule = (left: Value, right: Value) => Value;

/** Gives undefined where the operator does not apply to these operands. */
type CollectionRule = (left: Value, right: Value) => Value | undefined;

const COLLECTION_RULES: Readonly<Partial<Record<BinaryOperator, CollectionRule>>> = {
  '+': concatenate,
  '*': repeat,
  '%': (left, right) => (typeof left === 'string' ? formatPercent(left, right) : undefined),
  '|': unite,
  '&': (left, right) => combineSets('&', left, right),
  '^': (left, right) => combineSets('^', left, right),
  '-': (left, right) => combineSets('-', left, right),
};

/** What an operator does; looked up when an expression is compiled. */
export function binaryRule(operator: BinaryOperator): Rule {
  const applyNumbers = numericRule(operator);
  const applyCollections = COLLECTION_RULES[operator];
  return (left, right) => {
    step();
    const result = isNumeric(left) && isNumeric(right) ? applyNumbers(left, right) : applyCollections?.(left, right);
    if (result === undefined) throw notSupported(operator, left, right);
    return result;
  };
}

function notSupported(operator: BinaryOperator, left: Value, right: Value) {
  const name = operator === '**' ? '** or pow()' : operator;
  return typeError(`unsupported operand type(s) for ${name}: '${typeName(left)}' and '${typeName(right)}'`);
}

function unite(left: Value, right: Value): Value | undefined {
  if (isDict(left) && isDict(right)) return mergeDicts(left, right);
  if (isTypeObject(left) && isTypeObject(right))
    throw unsupported('type unions are not supported; use a tuple of types');
  return combineSets('|', left, right);
}
