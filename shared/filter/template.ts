import { allocateText, createBudget, withBudget, type Budget } from './budget.ts';
import { refused, toExpression, type Expression, type Refused } from './compile.ts';
import { outerScope } from './evaluator/scope.ts';
import { toJson, type Json } from './json.ts';
import { parseUntilBraces } from './syntax/parse.ts';
import { textOf } from './text/repr.ts';
import { variablesFor, type JsonVariables, type Variables } from './variables.ts';

/** Text with expressions in double braces. */
export interface Template {
  readonly parts: readonly (string | Expression)[];
  /** The variables its expressions need. */
  readonly names: readonly string[];
}

export type CompiledTemplate = { readonly ok: true; readonly template: Template } | Refused;

/** Problems are reported at their position in the whole text. For a literal `{{`, write `{{ "{{" }}`. */
export function compileTemplate(text: string): CompiledTemplate {
  try {
    return { ok: true, template: parseTemplate(text) };
  } catch (error) {
    return refused(error);
  }
}

/**
 * A template that is one expression and nothing else gives its value; any other gives text, with str() of each
 * value in place. Raises FilterError, and FilterSyntaxError for text that does not compile.
 */
export function renderTemplate(
  template: Template | string,
  variables: Variables | JsonVariables,
  budget: Budget = createBudget(),
): Json {
  const { parts } = typeof template === 'string' ? parseTemplate(template) : template;
  const reads = parts.flatMap((part) => (typeof part === 'string' ? [] : part.reads));
  const scope = outerScope(variablesFor(variables, reads));
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'object') {
    return withBudget(budget, () => toJson(only.run(scope), budget));
  }
  return withBudget(budget, () => parts.map((part) => writePart(part, scope)).join(''));
}

function writePart(part: string | Expression, scope: ReturnType<typeof outerScope>): string {
  if (typeof part === 'string') return part;
  const text = textOf(part.run(scope));
  allocateText(text.length);
  return text;
}

function parseTemplate(text: string): Template {
  const parts: (string | Expression)[] = [];
  let at = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', at)) {
    if (open > at) parts.push(text.slice(at, open));
    const { root, end } = parseUntilBraces(text, open + 2);
    parts.push(toExpression(text.slice(open + 2, end).trim(), root));
    at = end + 2;
  }
  if (at < text.length) parts.push(text.slice(at));
  const names = new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : part.names)));
  return { parts, names: [...names] };
}
