import { AppError, invalid, type Problem } from '../errors.ts';
import { compileFilter, type Compiled, type Expression } from '../filter/compile.ts';
import { FilterError } from '../filter/errors.ts';
import { evaluate } from '../filter/evaluate.ts';
import { setField } from '../filter/json.ts';
import { parseJson } from '../filter/json-text.ts';
import { isTrue } from '../filter/values/truth.ts';
import { dict, type Value } from '../filter/values/value.ts';
import type { Variables } from '../filter/variables.ts';
import type { LoadedEvent } from './event.ts';

export const FILTER_VARIABLES = ['payload', 'event'] as const;

type FilteredEvent = Pick<
  LoadedEvent,
  'event_id' | 'event_type' | 'source' | 'correlation_id' | 'user_id' | 'published_at' | 'payloadText'
>;

/** `payload` and `event`, converted once and shared by every filter that looks at this event. */
export function filterVariables(event: FilteredEvent): Variables {
  const payload = parseJson(event.payloadText);
  const fields: Record<string, Value> = {
    event_id: event.event_id,
    event_type: event.event_type,
    source: event.source,
    correlation_id: event.correlation_id,
    user_id: event.user_id,
    published_at: BigInt(event.published_at),
    payload,
    id: event.event_id,
    type: event.event_type,
  };
  // Both event["source"] and event.source, because the interface does not say which.
  const asDict = dict(true);
  for (const [name, value] of Object.entries(fields)) setField(asDict, name, value);
  return new Map<string, Value>([
    ['payload', payload],
    ['event', asDict],
  ]);
}

export type FilterOutcome =
  | { readonly kind: 'value'; readonly isTrue: boolean; readonly value: Value }
  | { readonly kind: 'error'; readonly message: string };

/** A filter that raises is no failure of ours: the answer says so. */
export function runFilter(expression: Expression, variables: Variables): FilterOutcome {
  try {
    const value = evaluate(expression, variables);
    return { kind: 'value', isTrue: isTrue(value), value };
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    return { kind: 'error', message: `${error.name}: ${error.message}` };
  }
}

const CACHED = 1000;
const cache = new Map<string, Compiled>();

/** Runs a filter that was checked when it was saved; compiled filters are remembered. */
export function runSavedFilter(source: string, variables: Variables): FilterOutcome {
  const compiled = cache.get(source) ?? compileFilter(source);
  if (cache.size >= CACHED) cache.clear();
  cache.set(source, compiled);
  return compiled.ok
    ? runFilter(compiled.expression, variables)
    : { kind: 'error', message: `SyntaxError: ${compiled.error.message}` };
}

/** Compiles what somebody wrote, or says where it is wrong (422). */
export function demandFilter(
  source: string,
  loc: Problem['loc'],
  variables: readonly string[] = FILTER_VARIABLES,
): Expression {
  const compiled = compileFilter(source);
  if (!compiled.ok) {
    const { message, line, column, offset } = compiled.error;
    const msg = `${message} (line ${line}, column ${column})`;
    throw new AppError('validation_failed', msg, {
      problems: [{ type: 'filter_syntax', loc, msg }],
      facts: { position: { line, column, offset } },
    });
  }
  const unknown = compiled.expression.names.filter((name) => !variables.includes(name));
  if (unknown.length === 0) return compiled.expression;
  throw invalid(
    unknown.map((name) => ({
      type: 'filter_name',
      loc,
      msg: `There is no variable called "${name}"; there are ${variables.join(' and ')}`,
    })),
  );
}
