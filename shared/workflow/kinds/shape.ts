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

const LONGEST_SCHEMA = 32_768;
const DEEPEST_SCHEMA = 20;
/** Regular expressions of strangers can run for ever; references can lead anywhere. */
const REFUSED_KEYWORDS = ['pattern', 'patternProperties', '$ref', '$dynamicRef'];

/** A JSON Schema written by a user, bounded in size and in what it can ask for. */
export const userSchema = z
  .record(z.string(), z.unknown())
  .superRefine((schema, context) => {
    const message = schemaProblem(schema);
    if (message) context.addIssue({ code: 'custom', message });
  })
  .meta({ format: 'json-schema' });

function schemaProblem(schema: Record<string, unknown>): string | undefined {
  if (JSON.stringify(schema).length > LONGEST_SCHEMA) return 'the schema is longer than 32 KB';
  const refused = refusedPart(schema, 0);
  if (refused) return refused;
  try {
    z.fromJSONSchema(schema);
    return undefined;
  } catch (error) {
    return `not a usable JSON Schema: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function refusedPart(value: unknown, depth: number, areNames = false): string | undefined {
  if (depth > DEEPEST_SCHEMA) return `the schema is nested deeper than ${DEEPEST_SCHEMA} levels`;
  if (typeof value !== 'object' || value === null) return undefined;
  const keyword = areNames ? undefined : Object.keys(value).find((key) => REFUSED_KEYWORDS.includes(key));
  if (keyword) return `"${keyword}" is not supported in schemas of workflows`;
  const inside = Object.entries(value).map(([key, part]) => refusedPart(part, depth + 1, isNameMap(key, areNames)));
  return inside.find((found) => found !== undefined);
}

/** Below `properties` the keys are names that people chose, not keywords. */
const isNameMap = (key: string, areNames: boolean) => !areNames && (key === 'properties' || key === '$defs');
