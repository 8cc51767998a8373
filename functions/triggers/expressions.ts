import { AppError, invalidField, type Problem } from '../../shared/errors.ts';
import { demandFilter, filterVariables } from '../../shared/events/filter.ts';
import type { BusEvent } from '../../shared/events/event.ts';
import { compileFilter } from '../../shared/filter/compile.ts';
import { FilterError } from '../../shared/filter/errors.ts';
import { evaluate } from '../../shared/filter/evaluate.ts';
import { toJson, type Json } from '../../shared/filter/json.ts';
import { parseJson } from '../../shared/filter/json-text.ts';
import { compileTemplate, renderTemplate } from '../../shared/filter/template.ts';
import { createVariables, type Variables } from '../../shared/filter/variables.ts';
import type { Inbound } from './inbound.ts';

/** What the expressions of a webhook may read. */
export const PAYLOAD_VARIABLES = ['body', 'headers', 'query'] as const;
export const CORRELATION_VARIABLES = ['payload', 'headers', 'query'] as const;
export const REPLY_VARIABLES = ['payload', 'headers', 'query', 'event'] as const;

export const demandExpression = (source: string, loc: Problem['loc'], variables: readonly string[]) =>
  void demandFilter(source, loc, variables);

/** A template that does not compile, or names what it will not be given, is refused with its position (422). */
export function demandTemplate(source: string, loc: Problem['loc'], variables: readonly string[]) {
  const compiled = compileTemplate(source);
  if (!compiled.ok) {
    const { message, line, column, offset } = compiled.error;
    const msg = `${message} (line ${line}, column ${column})`;
    const position = { line, column, offset };
    throw new AppError('validation_failed', msg, {
      problems: [{ type: 'template_syntax', loc, msg }],
      facts: { position },
    });
  }
  const unknown = compiled.template.names.find((name) => !variables.includes(name));
  if (unknown !== undefined) throw invalidField(loc, `There is no variable called "${unknown}"`, 'template_name');
}

/** The event's payload: the body unless the trigger says otherwise. */
export function mapPayload(source: string | null, { body, headers, query }: Inbound): unknown {
  if (source === null) return body;
  const variables = new Map([...createVariables({ headers, query }), ['body', exact(body)] as const]);
  return valueOf(source, 'payload_expr', variables);
}

const MAX_CORRELATION = 256;

/** Undefined when the trigger has no rule: then the event is linked to itself alone. */
export function mapCorrelation(source: string | null, payload: unknown, { headers, query }: Inbound) {
  if (source === null) return undefined;
  const variables = new Map([...createVariables({ headers, query }), ['payload', exact(payload)] as const]);
  const value = valueOf(source, 'correlation_expr', variables);
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (text !== '' && text.length <= MAX_CORRELATION) return text;
  throw invalidField(['correlation_expr'], `must give a text or a number of at most ${MAX_CORRELATION} characters`);
}

export function renderReply(template: string, event: BusEvent, { headers, query }: Inbound): string {
  const of = filterVariables({ ...event, payloadText: JSON.stringify(event.payload ?? null) });
  const value = raising('reply.body', () =>
    renderTemplate(template, new Map([...createVariables({ headers, query }), ...of])),
  );
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const exact = (value: unknown) => parseJson(JSON.stringify(value ?? null));

function valueOf(source: string, name: string, variables: Variables): Json {
  const compiled = compileFilter(source);
  if (!compiled.ok) throw invalidField([name], compiled.error.message);
  return raising(name, () => toJson(evaluate(compiled.expression, variables)));
}

/** What the expression raised is told to the sender and kept on record. */
function raising<T>(name: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof FilterError) throw invalidField([name], `${error.name}: ${error.message}`, 'expression_error');
    throw error;
  }
}
