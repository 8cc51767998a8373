import * as z from 'zod';
import { COMMON, eventType, expression, template } from './shape.ts';
import { userSchema } from '../user-schema.ts';
import { defineKind, expressionAt, templatesIn } from './spec.ts';

/** What reaches outside: models, tools, addresses, the bus. */

const Json = z.json();

export const AgentConfig = z.strictObject({
  /** The catalog's own model when absent. */
  model: z.string().min(1).max(200).optional(),
  system_prompt: template().optional(),
  prompt: template().optional(),
  tools: z
    .array(z.strictObject({ tool_id: z.string().min(1).max(200) }))
    .max(50)
    .default([{ tool_id: 'emit_event' }]),
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: z.int().min(1).max(1_000_000).optional(),
  max_turns: z.int().min(1).max(50).default(10),
  output_schema: userSchema.optional(),
  ...COMMON,
});
export type AgentConfig = z.output<typeof AgentConfig>;

export const agent = defineKind({
  title: 'Agent',
  summary:
    'A model that may call tools until it answers. The first agent reads the event as JSON unless told otherwise.',
  config: AgentConfig,
  handles: () => ['out'],
  texts: ({ system_prompt, prompt }) => [
    ...templatesIn(['system_prompt'], system_prompt),
    ...templatesIn(['prompt'], prompt),
  ],
});

export const ToolConfig = z.strictObject({
  tool_id: z.string().min(1).max(200),
  arguments: z.record(z.string(), Json).default({}),
  ...COMMON,
});

export const tool = defineKind({
  title: 'Tool',
  summary: 'Calls one tool with arguments made from templates.',
  config: ToolConfig,
  handles: () => ['out'],
  texts: (config) => templatesIn(['arguments'], config.arguments),
});

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const;

export const HttpConfig = z.strictObject({
  method: z.enum(METHODS).default('GET'),
  url: template(8000).min(1),
  headers: z
    .record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'is not a header name'), template(8000))
    .default({}),
  query: z.record(z.string().min(1).max(200), template(8000)).default({}),
  body: Json.optional(),
  /** Any 2xx when absent. */
  expect_status: z.array(z.int().min(100).max(599)).min(1).max(50).optional(),
  ...COMMON,
});
export type HttpConfig = z.output<typeof HttpConfig>;

export const http = defineKind({
  title: 'HTTP request',
  summary: 'Calls an address. Private addresses are refused; a stable Idempotency-Key is sent.',
  config: HttpConfig,
  handles: () => ['out'],
  texts: ({ url, headers, query, body }) => [
    ...templatesIn(['url'], url),
    ...templatesIn(['headers'], headers),
    ...templatesIn(['query'], query),
    ...templatesIn(['body'], body),
  ],
});

export const KnowledgeConfig = z.strictObject({
  collection_ids: z.array(z.string().min(1).max(80)).min(1).max(20),
  query: template(8000).min(1),
  top_k: z.int().min(1).max(50).default(5),
  threshold: z.number().min(0).max(1).optional(),
  ...COMMON,
});

export const knowledge = defineKind({
  title: 'Knowledge',
  summary: 'Finds passages in knowledge collections.',
  config: KnowledgeConfig,
  handles: () => ['out'],
  texts: ({ query }) => templatesIn(['query'], query),
  unavailable: 'There is no knowledge collection on this installation, so a knowledge node has nothing to search',
});

export const EmitEventConfig = z.strictObject({
  event_type: eventType,
  /** The output of the node before when absent. */
  payload: expression().optional(),
  /** The incoming correlation id when absent, so that the runs stay linked. */
  correlation_id: expression().optional(),
  ...COMMON,
});

export const emitEvent = defineKind({
  title: 'Emit event',
  summary: 'Publishes an event on the bus; subscribed workflows start.',
  config: EmitEventConfig,
  handles: () => ['out'],
  texts: ({ payload, correlation_id }) => [
    ...expressionAt(['payload'], payload),
    ...expressionAt(['correlation_id'], correlation_id),
  ],
});

export const HUMAN_LONGEST_SECONDS = 30 * 86_400;

const Action = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9_]{1,40}$/, 'must be up to 40 lower-case letters, digits and underscores')
    .refine((id) => !['out', 'error', 'fail'].includes(id), '"out", "error" and "fail" are taken'),
  label: z.string().min(1).max(120),
});

export const HumanConfig = z
  .strictObject({
    title: template(500).min(1),
    message: template(20_000).default(''),
    form_schema: userSchema.optional(),
    actions: z
      .array(Action)
      .min(1)
      .max(10)
      .default([
        { id: 'approve', label: 'Approve' },
        { id: 'reject', label: 'Reject' },
      ]),
    /** Anyone of the tenant when empty. */
    assignees: z.array(z.string().min(1).max(80)).max(50).default([]),
    timeout_s: z
      .int()
      .min(1)
      .max(HUMAN_LONGEST_SECONDS)
      .default(7 * 86_400),
    /** `fail`, or the action that counts as taken. */
    on_timeout: z.string().min(1).max(40).default('fail'),
    on_error: COMMON.on_error,
    notes: COMMON.notes,
  })
  .refine(({ actions }) => new Set(actions.map(({ id }) => id)).size === actions.length, {
    path: ['actions'],
    message: 'two actions have the same id',
  })
  .refine(({ actions, on_timeout }) => on_timeout === 'fail' || actions.some(({ id }) => id === on_timeout), {
    path: ['on_timeout'],
    message: 'must be "fail" or the id of an action',
  });
export type HumanConfig = z.output<typeof HumanConfig>;

export const human = defineKind({
  title: 'Human',
  summary: 'Waits for a person to choose an action, by the API or by a one-time link.',
  config: HumanConfig,
  handles: ({ actions }) => ['out', ...actions.map(({ id }) => id)],
  texts: ({ title, message }) => [...templatesIn(['title'], title), ...templatesIn(['message'], message)],
  alwaysOn: true,
});
