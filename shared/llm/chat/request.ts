import * as z from 'zod';
import { isObject, pick, stringAt, without } from '../json-value.ts';
import type { Fields, Params, ResponseFormat, Tool, ToolChoice, Turn } from '../turn.ts';
import { ChatMessage, decodeMessage, textParts } from './message.ts';

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
  tools: z.array(z.looseObject({ type: z.string() })).nullish(),
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
  const firstOther = body.messages.findIndex(({ role }) => !isSystem(role));
  const leading = firstOther === -1 ? body.messages.length : firstOther;
  const toolChoice = decodeToolChoice(body.tool_choice);
  const responseFormat = decodeFormat(body.response_format);
  const kept = {
    ...(!toolChoice && body.tool_choice && { tool_choice: body.tool_choice }),
    ...(!responseFormat && isUnnamedFormat(body.response_format) && { response_format: body.response_format }),
  };
  return {
    origin: 'chat',
    model: body.model,
    system: body.messages.slice(0, leading).flatMap(({ content }) => textParts(content)),
    messages: body.messages.slice(leading).map(decodeMessage),
    tools: (body.tools ?? []).map(decodeTool),
    toolChoice,
    params: decodeParams(body),
    stop: [body.stop ?? []].flat(),
    stream: body.stream === true,
    wantsUsage: body.stream_options?.include_usage === true,
    responseFormat,
    native: { ...pick(body, NATIVE), ...kept },
    extra: without(body, [...NAMED, ...NATIVE]) ?? {},
  };
}

const isSystem = (role: string) => role === 'system' || role === 'developer';

const decodeParams = (body: ChatRequest): Params =>
  Object.fromEntries(PARAMS.flatMap((name) => (body[name] == null ? [] : [[name, body[name]]])));

function decodeTool(tool: Fields): Tool {
  const { function: spec } = tool;
  const name = stringAt(spec, 'name');
  if (!isObject(spec) || name === undefined) return { type: 'foreign', origin: 'chat', value: tool };
  const { description, parameters, strict } = spec;
  return {
    type: 'function',
    name,
    ...(typeof description === 'string' && { description }),
    ...(isObject(parameters) && { parameters }),
    ...(typeof strict === 'boolean' && { strict }),
    extra: without(tool, ['type', 'function']),
  };
}

function decodeToolChoice(choice: ChatRequest['tool_choice']): ToolChoice | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const name = isObject(choice) ? stringAt(choice.function, 'name') : undefined;
  return name === undefined ? undefined : { name };
}

function decodeFormat(format: ChatRequest['response_format']): ResponseFormat | undefined {
  if (format?.type === 'json_object') return { type: 'json' };
  const spec = format?.json_schema;
  if (format?.type !== 'json_schema' || !isObject(spec) || !isObject(spec.schema)) return undefined;
  const { name, description, strict, schema } = spec;
  return {
    type: 'json_schema',
    schema,
    ...(typeof name === 'string' && { name }),
    ...(typeof description === 'string' && { description }),
    ...(typeof strict === 'boolean' && { strict }),
  };
}

const isUnnamedFormat = (format: ChatRequest['response_format']) => format != null && format.type !== 'text';
