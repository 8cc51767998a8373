import * as z from 'zod';
import { COMMON, expression } from './shape.ts';
import { userSchema } from '../user-schema.ts';
import { defineKind, expressionAt } from './spec.ts';

/** Where a run begins, ends and parts. */

export const StartConfig = z.strictObject({
  input_schema: userSchema.optional(),
  notes: COMMON.notes,
});

export const start = defineKind({
  title: 'Start',
  summary: 'Where every run begins; its output is what started the run.',
  config: StartConfig,
  handles: () => ['out'],
  texts: () => [],
  alwaysOn: true,
});

export const EndConfig = z.strictObject({ output: expression().optional(), notes: COMMON.notes });

export const end = defineKind({
  title: 'End',
  summary: 'Gives the run its output: an expression, or the output of the node before.',
  config: EndConfig,
  handles: () => [],
  texts: ({ output }) => expressionAt(['output'], output),
  alwaysOn: true,
});

const Branch = z.strictObject({
  id: z.string().regex(/^[a-z0-9_]{1,40}$/, 'must be up to 40 lower-case letters, digits and underscores'),
  name: z.string().max(120).default(''),
  expr: expression(),
});

export const ConditionConfig = z.strictObject({
  branches: z
    .array(Branch)
    .min(1)
    .max(20)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'two branches have the same id')
    .refine((all) => all.every(({ id }) => id !== 'else' && id !== 'error'), '"else" and "error" always exist'),
  on_error: COMMON.on_error,
  notes: COMMON.notes,
});

export const condition = defineKind({
  title: 'Condition',
  summary: 'Takes the first branch whose expression is true, else the branch "else".',
  config: ConditionConfig,
  handles: ({ branches }) => [...branches.map(({ id }) => id), 'else'],
  texts: ({ branches }) => branches.flatMap(({ expr }, at) => expressionAt(['branches', at, 'expr'], expr)),
  alwaysOn: true,
});

export const TransformConfig = z.strictObject({
  values: z.record(z.string().min(1).max(120), expression()),
  on_error: COMMON.on_error,
  notes: COMMON.notes,
});

export const transform = defineKind({
  title: 'Transform',
  summary: 'Makes an object: each key gets the value of its expression.',
  config: TransformConfig,
  handles: () => ['out'],
  texts: ({ values }) => Object.entries(values).flatMap(([key, source]) => expressionAt(['values', key], source)),
});
