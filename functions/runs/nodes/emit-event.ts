import { emitEvent } from '../emit.ts';
import { evaluateJson } from '../expressions.ts';
import { NodeFailure } from '../failure.ts';
import { variablesIn } from '../frame.ts';
import type { Job, NodeDone } from '../job.ts';
import { jsonOutput } from './flow.ts';

export async function runEmitEvent({ node, session, frame, previous, stepId }: Job<'emit_event'>): Promise<NodeDone> {
  const { event_type, payload, correlation_id } = node.config;
  const variables = variablesIn(frame);
  const { event_id, operation } = await emitEvent(session, {
    event_type,
    payload: payload === undefined ? previous.json() : evaluateJson(payload, variables),
    correlation_id: correlation_id === undefined ? undefined : correlationIn(evaluateJson(correlation_id, variables)),
    stepId,
    call: 'node',
  });
  return {
    kind: 'done',
    output: jsonOutput({ event_id, event_type }),
    taken: ['out'],
    emitted: [event_id],
    rows: [operation],
  };
}

function correlationIn(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && text !== '' && text.length <= 256) return text;
  throw new NodeFailure('bad_correlation_id', 'The correlation id must be a text of 1 to 256 characters');
}
