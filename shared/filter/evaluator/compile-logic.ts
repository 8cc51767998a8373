import { step } from '../budget.ts';
import { compare } from '../operators/comparison.ts';
import type { Comparison, Node } from '../syntax/node.ts';
import { isTrue } from '../values/truth.ts';
import type { Value } from '../values/value.ts';
import type { Run } from './scope.ts';

/** The value of the operand that decides, not just its truth. */
export function compileBoolean(operator: 'and' | 'or', operands: readonly Run[]): Run {
  const goesOn = operator === 'and';
  return (scope) => {
    let value: Value = null;
    for (const run of operands) {
      step();
      value = run(scope);
      if (isTrue(value) !== goesOn) return value;
    }
    return value;
  };
}

/** A chain such as a < b < c, where each operand is evaluated once and the first false comparison ends it. */
export function compileComparison({ first, rest }: Comparison, compile: (node: Node) => Run): Run {
  const runFirst = compile(first);
  const links = rest.map(({ operator, operand }) => ({ operator, run: compile(operand) }));
  return (scope) => {
    step();
    let left = runFirst(scope);
    for (const { operator, run } of links) {
      const right = run(scope);
      if (!compare(operator, left, right)) return false;
      left = right;
    }
    return true;
  };
}
