import type { Scope } from '../completion/plugins.ts';
import { invalidField } from '../errors.ts';
import { objectAt } from '../llm/json-value.ts';

/**
 * How a model comes to its tools. `native`: it calls them itself, in the way of its format. `legacy`: another question
 * beforehand finds out which ones it needs, for models that cannot call anything.
 */
export type FunctionCalling = 'native' | 'legacy';

/** What the request says, else the model; older clients say `default` for `legacy`. */
export function functionCallingOf({ asked, target }: Scope): FunctionCalling {
  const wanted = objectAt(asked, 'params').function_calling ?? target.params.function_calling;
  if (wanted === undefined || wanted === null || wanted === '' || wanted === 'native') return 'native';
  if (wanted === 'legacy' || wanted === 'default') return 'legacy';
  throw invalidField(['body', 'params', 'function_calling'], 'Expected "native", "default" or "legacy"');
}
