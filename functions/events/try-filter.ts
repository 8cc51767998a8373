import { filterVariables } from '../../shared/events/filter.ts';
import type { LoadedEvent } from '../../shared/events/event.ts';
import { createBudget, DEFAULT_STEPS, withBudget, type Budget } from '../../shared/filter/budget.ts';
import { compileFilter, type SyntaxProblem } from '../../shared/filter/compile.ts';
import { FilterError } from '../../shared/filter/errors.ts';
import { evaluate } from '../../shared/filter/evaluate.ts';
import { toJson, type Json } from '../../shared/filter/json.ts';
import { repr } from '../../shared/filter/text/repr.ts';
import { isTrue } from '../../shared/filter/values/truth.ts';
import type { Value } from '../../shared/filter/values/value.ts';

type Sample = Parameters<typeof filterVariables>[0];

/** What the dispatcher would make of this filter and this event, with everything a person needs to correct it. */
export function tryFilter(source: string, sample: Sample) {
  const compiled = compileFilter(source);
  if (!compiled.ok) return { ...NOTHING, error: syntaxError(compiled.error) };
  const budget = createBudget();
  try {
    const value = evaluate(compiled.expression, filterVariables(sample), budget);
    return { matched: isTrue(value), ...shown(value, budget), error: null, steps_used: spent(budget) };
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    return {
      ...NOTHING,
      error: { message: `${error.name}: ${error.message}`, position: null },
      steps_used: spent(budget),
    };
  }
}

const NOTHING = { matched: false, value: null, repr: null, steps_used: 0 };
const spent = ({ steps }: Budget) => Math.ceil(DEFAULT_STEPS - Math.max(0, steps));

const syntaxError = ({ message, line, column, offset }: SyntaxProblem) => ({
  message: `SyntaxError: ${message}`,
  position: { line, column, offset },
});

/** A function or a value too large to print is still a value. */
function shown(value: Value, budget: Budget): { value: Json; repr: string | null } {
  return {
    value: orNull(() => toJson(value, budget)),
    repr: orNull(() => withBudget(budget, () => repr(value))),
  };
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof FilterError) return null;
    throw error;
  }
}

/** A sample may leave out whatever its filter does not read. */
export function sampleFrom(fields: Readonly<Record<string, unknown>>, now: number): Sample {
  const text = (name: string, otherwise: string) => {
    const given = fields[name];
    return typeof given === 'string' ? given : otherwise;
  };
  const event_id = text('event_id', 'evt_sample');
  const given = fields['published_at'];
  return {
    event_id,
    event_type: text('event_type', 'sample'),
    source: text('source', 'api'),
    correlation_id: text('correlation_id', event_id),
    user_id: text('user_id', 'service'),
    published_at: typeof given === 'number' && Number.isSafeInteger(given) ? given : now,
    payloadText: JSON.stringify(fields['payload'] ?? null),
  } satisfies Partial<LoadedEvent>;
}
