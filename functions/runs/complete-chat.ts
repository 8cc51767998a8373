import { decodeChatReply } from '../../shared/llm/chat/reply.ts';
import { decodeError } from '../../shared/llm/model-error.ts';
import type { Reply } from '../../shared/llm/reply.ts';
import type { Outbound } from '../../shared/net/outbound.ts';
import type { Seal } from '../../shared/seal/seal.ts';
import type { ToolDefinition } from '../../shared/workflow/tools.ts';
import { NodeFailure } from './failure.ts';
import { retryAfter } from './retry.ts';
import { loadConnection } from './run-context.ts';

/** A message in the chat-completions format, which is also how turns are stored. */
export type ChatMessage = Readonly<Record<string, unknown>> & { readonly role: string };

export interface ChatCall {
  readonly tenant: string;
  readonly catalogId: string | null;
  /** The catalog's own when absent. */
  readonly model: string | undefined;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly temperature: number | undefined;
  readonly maxTokens: number | undefined;
  readonly wantsJson: boolean;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Makes the ids of tool calls that come without one. */
  readonly seed: string;
}

/** One answer of a model, or a NodeFailure that says whether another attempt could help. */
export type CompleteChat = (call: ChatCall) => Promise<Reply>;

const LONGEST_REPLY = 4 * 1024 * 1024;

export const createCompleteChat =
  (outbound: Outbound, seal: Seal): CompleteChat =>
  async (call) => {
    const connection = await loadConnection(seal, call.tenant, call.catalogId);
    const response = await outbound.request(`${connection.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(connection.key !== null && { authorization: `Bearer ${connection.key}` }),
      },
      body: JSON.stringify(requestBody(call, connection.model)),
      signal: call.signal,
      timeoutMs: call.timeoutMs,
      replayable: true,
    });
    const text = await response.text(LONGEST_REPLY);
    if (response.status >= 300) throw refusal(text, response.status, retryAfter(response.headers['retry-after']));
    const reply = decodeChatReply(parse(text), call.seed);
    if (reply.error) throw new NodeFailure('model_failed', reply.error.message, { retryable: true });
    return reply;
  };

const requestBody = (call: ChatCall, model: string) => ({
  model: call.model ?? model,
  messages: call.messages,
  stream: false,
  ...(call.tools.length > 0 && { tools: call.tools.map((tool) => ({ type: 'function', function: tool })) }),
  ...(call.temperature !== undefined && { temperature: call.temperature }),
  ...(call.maxTokens !== undefined && { max_tokens: call.maxTokens }),
  ...(call.wantsJson && { response_format: { type: 'json_object' } }),
});

function refusal(text: string, status: number, retryAfterMs: number | undefined) {
  const { message } = decodeError(text, status);
  return new NodeFailure('model_failed', `The model server answered ${status}: ${message}`, {
    retryable: status >= 500 || status === 408 || status === 425 || status === 429,
    retryAfterMs,
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new NodeFailure('model_failed', 'The answer of the model server is not JSON', { retryable: true, cause });
  }
}
