import { demandFilter } from '../../shared/events/filter.ts';
import type { Trigger } from '../../shared/triggers/trigger.ts';
import {
  CORRELATION_VARIABLES,
  demandExpression,
  demandTemplate,
  PAYLOAD_VARIABLES,
  REPLY_VARIABLES,
} from './expressions.ts';

/** Every expression is compiled when it is saved: an error has its position and reaches who wrote it. */
export function checkExpressions(trigger: Trigger) {
  if (trigger.filter_expr !== null) demandFilter(trigger.filter_expr, ['body', 'filter_expr']);
  if (trigger.type !== 'webhook') return;
  const { payload_expr, correlation_expr, reply } = trigger;
  if (payload_expr !== null) demandExpression(payload_expr, ['body', 'payload_expr'], PAYLOAD_VARIABLES);
  if (correlation_expr !== null)
    demandExpression(correlation_expr, ['body', 'correlation_expr'], CORRELATION_VARIABLES);
  if (reply !== null) demandTemplate(reply.body, ['body', 'reply', 'body'], REPLY_VARIABLES);
}
