import { compileFilter, type Expression } from '../../shared/filter/compile.ts';
import { FilterSyntaxError } from '../../shared/filter/errors.ts';
import { evaluate } from '../../shared/filter/evaluate.ts';
import { toJson, type Json } from '../../shared/filter/json.ts';
import { compileTemplate, renderTemplate, type Template } from '../../shared/filter/template.ts';
import { isTrue } from '../../shared/filter/values/truth.ts';
import type { Variables } from '../../shared/filter/variables.ts';

/** The expressions and templates of node configurations, compiled once per process. */

export const evaluateJson = (source: string, variables: Variables): Json =>
  toJson(evaluate(expressionOf(source), variables));

export const evaluateTruth = (source: string, variables: Variables): boolean =>
  isTrue(evaluate(expressionOf(source), variables));

export const render = (source: string, variables: Variables): Json => renderTemplate(templateOf(source), variables);

/** A template where text is wanted: other values are written as JSON. */
export function renderText(source: string, variables: Variables): string {
  const value = render(source, variables);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Every string of a value is a template. */
export function renderDeep(value: Json, variables: Variables): Json {
  if (typeof value === 'string') return render(value, variables);
  if (Array.isArray(value)) return value.map((item: Json) => renderDeep(item, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, renderDeep(part, variables)]));
}

const remember = <T>(make: (source: string) => T) => {
  const known = new Map<string, T>();
  return (source: string): T => {
    const found = known.get(source);
    if (found !== undefined) return found;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const made = make(source);
    known.set(source, made);
    return made;
  };
};

const MOST_REMEMBERED = 2000;

const expressionOf = remember((source): Expression => {
  const compiled = compileFilter(source);
  if (compiled.ok) return compiled.expression;
  throw new FilterSyntaxError(compiled.error.message, source, compiled.error.offset);
});

const templateOf = remember((source): Template => {
  const compiled = compileTemplate(source);
  if (compiled.ok) return compiled.template;
  throw new FilterSyntaxError(compiled.error.message, source, compiled.error.offset);
});
