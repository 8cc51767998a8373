import { step } from '../budget.ts';
import { FilterError, typeError } from '../errors.ts';
import { isComposite, typeName } from '../values/kinds.ts';
import { NO_KEYWORDS, type FunctionValue, type Keywords, type TypeValue, type Value } from '../values/value.ts';

const MAX_DEPTH = 40;

let depth = 0;

export const isCallable = (value: Value): value is FunctionValue | TypeValue =>
  isComposite(value) && (value.type === 'function' || value.type === 'type');

export function call(callee: Value, positional: readonly Value[], keywords: Keywords = NO_KEYWORDS): Value {
  step();
  if (!isCallable(callee)) throw typeError(`'${typeName(callee)}' object is not callable`);
  if (depth >= MAX_DEPTH) throw new FilterError('recursion', 'maximum recursion depth exceeded');
  depth += 1;
  try {
    return callee.call(positional, keywords);
  } finally {
    depth -= 1;
  }
}
