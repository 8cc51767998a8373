import * as z from 'zod';
import { RULES } from './fits-schema.ts';

const LONGEST = 32_768;
const DEEPEST = 20;

/** Keywords that explain and check nothing. */
const NOTES = [
  'title',
  'description',
  'default',
  'examples',
  'format',
  '$schema',
  '$id',
  '$comment',
  'deprecated',
  'readOnly',
  'writeOnly',
];

const TYPES = z.enum(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const count = z.int().min(0);
const schema: z.ZodType = z.lazy(() => z.union([z.boolean(), Keywords]));
const schemas = z.array(schema).min(1).max(50);

/** What each keyword of a schema may be set to. */
const Keywords = z.looseObject({
  type: z.union([TYPES, z.array(TYPES).min(1)]).optional(),
  enum: z.array(z.unknown()).min(1).max(1000).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  multipleOf: z.number().positive().optional(),
  minLength: count.optional(),
  maxLength: count.optional(),
  minItems: count.optional(),
  maxItems: count.optional(),
  minProperties: count.optional(),
  maxProperties: count.optional(),
  uniqueItems: z.boolean().optional(),
  items: schema.optional(),
  required: z.array(z.string()).max(500).optional(),
  properties: z.record(z.string(), schema).optional(),
  additionalProperties: schema.optional(),
  allOf: schemas.optional(),
  anyOf: schemas.optional(),
  oneOf: schemas.optional(),
  not: schema.optional(),
});

/** A JSON Schema written by a user: bounded, and with nothing in it that would be silently ignored. */
export const userSchema = z
  .record(z.string(), z.unknown())
  .superRefine((given, context) => {
    const message = schemaProblem(given);
    if (message) context.addIssue({ code: 'custom', message });
  })
  .meta({ format: 'json-schema' });

export function schemaProblem(given: Record<string, unknown>): string | undefined {
  if (JSON.stringify(given).length > LONGEST) return 'the schema is longer than 32 KB';
  const refused = refusedPart(given, 0);
  if (refused) return refused;
  const parsed = Keywords.safeParse(given);
  return parsed.success ? undefined : `not a usable JSON Schema: ${z.prettifyError(parsed.error)}`;
}

function refusedPart(part: unknown, depth: number): string | undefined {
  if (depth > DEEPEST) return `the schema is nested deeper than ${DEEPEST} levels`;
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return undefined;
  const unknown = Object.keys(part).find((keyword) => !Object.hasOwn(RULES, keyword) && !NOTES.includes(keyword));
  if (unknown) return `"${unknown}" is not supported in schemas of workflows`;
  return subschemas(part)
    .map((inner) => refusedPart(inner, depth + 1))
    .find((found) => found !== undefined);
}

/** Where a schema holds further schemas; below `properties` the keys are names that people chose. */
function subschemas(part: object): unknown[] {
  const { items, additionalProperties, not, allOf, anyOf, oneOf, properties } = part as Record<string, unknown>;
  const named = typeof properties === 'object' && properties !== null ? Object.values(properties) : [];
  return [items, additionalProperties, not, ...[allOf, anyOf, oneOf].flat(), ...named];
}
