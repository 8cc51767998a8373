import * as z from 'zod';
import type { Usage } from '../../shared/workflow/run-record.ts';

const ToolCall = z.object({
  id: z.string(),
  type: z.string().default('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
export type AskedCall = z.output<typeof ToolCall>;

const Message = z.looseObject({
  role: z.string(),
  content: z.string().nullish(),
  tool_calls: z.array(ToolCall).optional(),
  tool_call_id: z.string().optional(),
});

/** One message of an agent's conversation, in the chat-completions format, and what it cost. */
export const Turn = z.object({
  message: Message,
  usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int() }).optional(),
  /** Events that this turn published. */
  emitted: z.array(z.string()).optional(),
});
export type Turn = z.output<typeof Turn>;

export const conversationSchema = z.array(Turn);

/** Tool calls that nobody has answered yet, in the order they were asked. */
export function openCalls(turns: readonly Turn[]): readonly AskedCall[] {
  const answered = new Set(turns.map(({ message }) => message.tool_call_id));
  return turns.flatMap(({ message }) => message.tool_calls ?? []).filter(({ id }) => !answered.has(id));
}

/** The model's last word, once it asks for nothing more. */
export function answerOf(turns: readonly Turn[]): string | undefined {
  const last = turns.at(-1)?.message;
  return last?.role === 'assistant' && !last.tool_calls?.length ? (last.content ?? '') : undefined;
}

export function usageOfTurns(turns: readonly Turn[]): Usage {
  const said = turns.filter(({ message }) => message.role === 'assistant');
  const sum = (field: 'prompt_tokens' | 'completion_tokens') =>
    said.reduce((total, { usage }) => total + (usage?.[field] ?? 0), 0);
  return {
    prompt_tokens: sum('prompt_tokens'),
    completion_tokens: sum('completion_tokens'),
    model_calls: said.length,
    tool_calls: turns.filter(({ message }) => message.role === 'tool').length,
  };
}
