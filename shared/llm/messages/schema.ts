import * as z from 'zod';

export const Blocks = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]);
export type Blocks = z.output<typeof Blocks>;

export const MessagesMessage = z.looseObject({ role: z.string().min(1), content: Blocks });
export type MessagesMessage = z.output<typeof MessagesMessage>;

/** What callers of the messages format send; unknown fields stay. */
export const MessagesRequest = z.looseObject({
  model: z.string().min(1),
  max_tokens: z.number().nullish(),
  messages: z.array(MessagesMessage),
  system: Blocks.nullish(),
  stream: z.boolean().nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  top_k: z.number().nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  tools: z.array(z.looseObject({ name: z.string().optional() })).nullish(),
  tool_choice: z.looseObject({ type: z.string() }).nullish(),
  thinking: z.looseObject({ type: z.string() }).nullish(),
  output_config: z.looseObject({}).nullish(),
  reasoning_effort: z.string().nullish(),
});
export type MessagesRequest = z.output<typeof MessagesRequest>;
