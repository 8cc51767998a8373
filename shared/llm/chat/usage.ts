import { isObject, numberAt, objectAt, without } from '../json-value.ts';
import type { Usage } from '../turn-event.ts';

const COUNTED = ['prompt_tokens', 'completion_tokens', 'total_tokens'];

/** Token counts of the chat-completions format; some servers use the other formats' names, so those are read too. */
export function decodeChatUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const input = numberAt(usage, 'prompt_tokens') ?? numberAt(usage, 'input_tokens') ?? 0;
  const cached =
    numberAt(usage, 'cache_read_input_tokens') ?? numberAt(objectAt(usage, 'prompt_tokens_details'), 'cached_tokens');
  return {
    input,
    output: numberAt(usage, 'completion_tokens') ?? numberAt(usage, 'output_tokens') ?? 0,
    cached,
    cacheCreated: numberAt(usage, 'cache_creation_input_tokens'),
    reasoning: numberAt(objectAt(usage, 'completion_tokens_details'), 'reasoning_tokens'),
    extra: without(usage, COUNTED),
  };
}

export const encodeChatUsage = ({ input, output, cached, reasoning, extra }: Usage) => ({
  ...extra,
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  ...(cached !== undefined && {
    prompt_tokens_details: { ...objectAt(extra, 'prompt_tokens_details'), cached_tokens: cached },
  }),
  ...(reasoning !== undefined && {
    completion_tokens_details: { ...objectAt(extra, 'completion_tokens_details'), reasoning_tokens: reasoning },
  }),
});
