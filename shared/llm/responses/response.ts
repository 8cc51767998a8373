import { objectAt } from '../json-value.ts';
import type { ModelError } from '../model-error.ts';
import type { ReplyHead } from '../protocol.ts';
import type { Reply } from '../reply.ts';
import type { Fields } from '../turn.ts';
import type { FinishReason, Usage } from '../turn-event.ts';

/** How a response of this format stands: the answer so far and how it ended. */
export interface Standing {
  readonly output: readonly Fields[];
  readonly usage?: Usage;
  readonly finish?: FinishReason;
  readonly error?: ModelError;
}

const DEFAULTS = {
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  store: false,
  temperature: null,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  truncation: 'disabled',
  user: null,
};

const INCOMPLETE: Partial<Record<FinishReason, string>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
};

export function encodeResponse(head: ReplyHead, { output, usage, finish, error }: Standing): Fields {
  const reason = finish && INCOMPLETE[finish];
  return {
    ...DEFAULTS,
    ...head.echo,
    id: `resp_${head.id}`,
    object: 'response',
    created_at: head.created,
    model: head.model,
    status: statusOf(finish, error),
    error: error ? { code: errorCode(error), message: error.message } : null,
    incomplete_details: reason ? { reason } : null,
    output,
    usage: usage ? encodeUsage(usage) : null,
  };
}

function statusOf(finish: FinishReason | undefined, error: ModelError | undefined): string {
  if (error) return 'failed';
  if (!finish) return 'in_progress';
  return INCOMPLETE[finish] ? 'incomplete' : 'completed';
}

const errorCode = ({ type }: ModelError) => (type === 'rate_limit_error' ? 'rate_limit_exceeded' : 'server_error');

const encodeUsage = ({ input, output, cached = 0, reasoning = 0, extra }: Usage) => ({
  input_tokens: input,
  input_tokens_details: { ...objectAt(extra, 'input_tokens_details'), cached_tokens: cached },
  output_tokens: output,
  output_tokens_details: { ...objectAt(extra, 'output_tokens_details'), reasoning_tokens: reasoning },
  total_tokens: input + output,
});

/** A reply that was not streamed. */
export function encodeResponsesReply(head: ReplyHead, reply: Reply): Fields {
  const parts = [
    ...(reply.thinking ? [reasoningItem(reply.thinking)] : []),
    ...(reply.text ? [messageItem(reply.text)] : []),
    ...reply.toolCalls.map(callItem),
  ];
  const output = parts.map((item, index) => ({ id: itemId(item.type, head.id, index), ...item }));
  return encodeResponse(head, { ...reply, output, finish: reply.finish ?? 'stop' });
}

const PREFIX = { reasoning: 'rs', message: 'msg', function_call: 'fc' };

export const itemId = (type: keyof typeof PREFIX, replyId: string, index: number) =>
  `${PREFIX[type]}_${replyId}_${index}`;

export const reasoningItem = (text?: string) => ({
  type: 'reasoning' as const,
  summary: text === undefined ? [] : [summaryPart(text)],
});

export const messageItem = (text?: string) => ({
  type: 'message' as const,
  status: text === undefined ? 'in_progress' : 'completed',
  role: 'assistant',
  content: text === undefined ? [] : [textPart(text)],
});

export const callItem = (call: { id: string; name: string; arguments?: string }) => ({
  type: 'function_call' as const,
  status: call.arguments === undefined ? 'in_progress' : 'completed',
  call_id: call.id,
  name: call.name,
  arguments: call.arguments ?? '',
});

export const summaryPart = (text: string) => ({ type: 'summary_text', text });
export const textPart = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });
