import * as z from 'zod';

const Images = z.array(z.string()).nullish();

const RuntimeMessage = z.looseObject({
  role: z.string().min(1),
  content: z.string().nullish(),
  thinking: z.string().nullish(),
  images: Images,
  tool_calls: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).nullish(),
});
export type RuntimeMessage = z.output<typeof RuntimeMessage>;

const RuntimeOptions = z.looseObject({
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  top_k: z.number().optional(),
  seed: z.number().optional(),
  presence_penalty: z.number().optional(),
  frequency_penalty: z.number().optional(),
  num_predict: z.number().optional(),
  stop: z.union([z.string(), z.array(z.string())]).optional(),
});

const Shared = z.looseObject({
  model: z.string().min(1),
  stream: z.boolean().nullish(),
  format: z.union([z.string(), z.looseObject({})]).nullish(),
  options: RuntimeOptions.nullish(),
  think: z.union([z.boolean(), z.string()]).nullish(),
});
export type Shared = z.output<typeof Shared>;

/** What callers of the runtime's chat send; it streams unless told not to. */
export const RuntimeChatRequest = Shared.extend({
  messages: z.array(RuntimeMessage).default([]),
  tools: z.array(z.looseObject({})).nullish(),
});
export type RuntimeChatRequest = z.output<typeof RuntimeChatRequest>;

/** What callers of the runtime's generate send. */
export const RuntimeGenerateRequest = Shared.extend({
  prompt: z.string().default(''),
  system: z.string().nullish(),
  images: Images,
});
export type RuntimeGenerateRequest = z.output<typeof RuntimeGenerateRequest>;
