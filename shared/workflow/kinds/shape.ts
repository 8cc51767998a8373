import * as z from 'zod';

/** Building blocks of node configurations. */

/** Marks in the JSON Schema what an editor should offer for the field, and tells the validator how to read it. */
export const expression = () => z.string().min(1).max(4096).meta({ format: 'python-expression' });
export const template = (longest = 100_000) => z.string().max(longest).meta({ format: 'template' });

/** A field of one run's step may last this long; the runner's own time is 900 s. */
export const LONGEST_NODE_SECONDS = 600;

export const Retry = z.strictObject({
  max_attempts: z.int().min(1).max(10).default(3),
  initial_s: z.number().min(0).max(3600).default(2),
  factor: z.number().min(1).max(10).default(2),
  max_s: z.number().min(0).max(86_400).default(60),
  jitter: z.boolean().default(true),
});
export type Retry = z.output<typeof Retry>;

/** What every kind of node understands. */
export const COMMON = {
  retry: Retry.optional(),
  timeout_s: z.int().min(1).max(LONGEST_NODE_SECONDS).optional(),
  on_error: z.enum(['fail', 'continue', 'branch']).default('fail'),
  notes: z.string().max(4000).optional(),
};

export const eventType = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,99}$/, 'must be snake_case: letters, digits and underscores, starting with a letter');
