import { createBudget, withBudget, type Budget } from './budget.ts';
import type { Expression } from './compile.ts';
import { outerScope } from './evaluator/scope.ts';
import type { Value } from './values/value.ts';
import { variablesFor, type JsonVariables, type Variables } from './variables.ts';

/**
 * The value of an expression; raises FilterError. JSON variables are converted on every call, as far as the
 * expression reads them; where expressions share variables, convert them once with `createVariables`.
 */
export function evaluate(
  expression: Expression,
  variables: Variables | JsonVariables,
  budget: Budget = createBudget(),
): Value {
  const scope = outerScope(variablesFor(variables, expression.reads));
  return withBudget(budget, () => expression.run(scope));
}
