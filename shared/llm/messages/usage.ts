import { isObject, numberAt, objectAt, stringAt, without } from '../json-value.ts';
import type { Usage } from '../turn-event.ts';

const COUNTED = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];

/** This format counts cached prompt tokens apart; the neutral count has them in. */
export function decodeMessagesUsage(usage: unknown): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const cached = numberAt(usage, 'cache_read_input_tokens');
  const cacheCreated = numberAt(usage, 'cache_creation_input_tokens');
  return {
    input: (numberAt(usage, 'input_tokens') ?? 0) + (cached ?? 0) + (cacheCreated ?? 0),
    output: numberAt(usage, 'output_tokens') ?? 0,
    cached,
    cacheCreated,
    reasoning: numberAt(objectAt(usage, 'output_tokens_details'), 'reasoning_tokens'),
    extra: without(usage, COUNTED),
  };
}

const NOTHING: Usage = { input: 0, output: 0 };

export function encodeMessagesUsage({ input, output, cached, cacheCreated, reasoning, extra }: Usage = NOTHING) {
  const uncached = Math.max(0, input - (cached ?? 0) - (cacheCreated ?? 0));
  const details = {
    ...objectAt(extra, 'output_tokens_details'),
    ...(reasoning !== undefined && { reasoning_tokens: reasoning }),
  };
  return {
    input_tokens: numberAt(extra, 'input_tokens') ?? uncached,
    output_tokens: output,
    ...(cached !== undefined && { cache_read_input_tokens: cached }),
    ...(cacheCreated !== undefined && { cache_creation_input_tokens: cacheCreated }),
    ...(Object.keys(details).length > 0 && { output_tokens_details: details }),
    ...(isObject(extra?.server_tool_use) && { server_tool_use: extra.server_tool_use }),
    ...(stringAt(extra, 'service_tier') !== undefined && { service_tier: extra?.service_tier }),
  };
}
