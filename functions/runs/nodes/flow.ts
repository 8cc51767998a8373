import { schemaMisfit } from '../../../shared/workflow/fits-schema.ts';
import { NodeFailure } from '../failure.ts';
import { evaluateJson, evaluateTruth } from '../expressions.ts';
import { variablesIn } from '../frame.ts';
import { done, type Job, type NodeDone } from '../job.ts';
import { outputOf } from '../output.ts';

/** Nodes without effects: from the same state they always give the same result. */

export function runStart({ node, session, frame }: Job<'start'>): NodeDone {
  if (frame.item) return done(frame.item);
  const { input_schema } = node.config;
  const misfit = input_schema && schemaMisfit(input_schema, session.input.json());
  if (misfit) throw new NodeFailure('bad_input', `The input does not fit: ${misfit}`);
  return done(session.input);
}

export function runEnd({ node, frame, previous }: Job<'end'>): NodeDone {
  const { output } = node.config;
  return done(output === undefined ? previous : jsonOutput(evaluateJson(output, variablesIn(frame))), []);
}

export function runCondition({ node, frame, previous }: Job<'condition'>): NodeDone {
  const variables = variablesIn(frame);
  const branch = node.config.branches.find(({ expr }) => evaluateTruth(expr, variables));
  return done(previous, [branch?.id ?? 'else']);
}

export function runTransform({ node, frame }: Job<'transform'>): NodeDone {
  const variables = variablesIn(frame);
  const entries = Object.entries(node.config.values).map(([key, source]) => [key, evaluateJson(source, variables)]);
  return done(jsonOutput(Object.fromEntries(entries)));
}

export const jsonOutput = (value: unknown) => outputOf(JSON.stringify(value ?? null));
