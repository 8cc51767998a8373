import * as z from 'zod';
import { decodeFunction, decodeSchemaFormat } from '../function-tool.ts';
import { isObject, objectAt, pick, stringAt, without } from '../json-value.ts';
import { splitSystem } from '../parts.ts';
import type { Fields, Params, ResponseFormat, Tool, ToolChoice, Turn } from '../turn.ts';
import { ChatMessage, decodeMessage } from './message.ts';

const Count = z.number().nullish();

/** What callers of the chat-completions format send; the format is open-ended, so unknown fields stay. */
export const ChatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(ChatMessage),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  temperature: Count,
  top_p: Count,
  top_k: Count,
  max_tokens: Count,
  max_completion_tokens: Count,
  seed: Count,
  presence_penalty: Count,
  frequency_penalty: Count,
  reasoning_effort: z.string().nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  tools: z.array(z.looseObject({})).nullish(),
  tool_choice: z.union([z.string(), z.looseObject({})]).nullish(),
  response_format: z.looseObject({ type: z.string() }).nullish(),
});
export type ChatRequest = z.output<typeof ChatRequest>;

const PARAMS = [
  'temperature',
  'top_p',
  'top_k',
  'max_tokens',
  'max_completion_tokens',
  'seed',
  'presence_penalty',
  'frequency_penalty',
  'reasoning_effort',
  'parallel_tool_calls',
] as const satisfies (keyof Params)[];

const NAMED = ['model', 'messages', 'stream', 'stop', 'tools', 'tool_choice', 'response_format', ...PARAMS];

const NATIVE = [
  'stream_options',
  'audio',
  'function_call',
  'functions',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'modalities',
  'n',
  'prediction',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'store',
  'user',
  'verbosity',
  'web_search_options',
];

export function decodeChatRequest(body: ChatRequest): Turn {
  const toolChoice = decodeToolChoice(body.tool_choice);
  const responseFormat = decodeFormat(body.response_format);
  return {
    origin: 'chat',
    model: body.model,
    ...splitSystem(body.messages.map(decodeMessage)),
    tools: (body.tools ?? []).map(decodeTool),
    toolChoice,
    params: pick(body, PARAMS),
    stop: [body.stop ?? []].flat(),
    stream: body.stream === true,
    wantsUsage: body.stream_options?.include_usage === true,
    responseFormat,
    native: {
      ...pick(body, NATIVE),
      ...(!toolChoice && pick(body, ['tool_choice'])),
      ...(!responseFormat && pick(body, ['response_format'])),
    },
    extra: without(body, [...NAMED, ...NATIVE]) ?? {},
  };
}

function decodeTool(tool: Fields): Tool {
  const spec = decodeFunction(objectAt(tool, 'function'));
  if (!spec) return { type: 'foreign', origin: 'chat', value: tool };
  return { ...spec, extra: without(tool, ['type', 'function']) };
}

function decodeToolChoice(choice: ChatRequest['tool_choice']): ToolChoice | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const name = isObject(choice) ? stringAt(choice.function, 'name') : undefined;
  return name === undefined ? undefined : { name };
}

function decodeFormat(format: ChatRequest['response_format']): ResponseFormat | undefined {
  if (format?.type === 'json_object') return { type: 'json' };
  return format?.type === 'json_schema' ? decodeSchemaFormat(objectAt(format, 'json_schema')) : undefined;
}
