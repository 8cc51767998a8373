import { decodeFunction, decodeSchemaFormat } from '../function-tool.ts';
import { isObject, pick, stringAt, without } from '../json-value.ts';
import { isText } from '../parts.ts';
import type { Fields, Params, ResponseFormat, Tool, ToolChoice, Turn } from '../turn.ts';
import { decodeBlocks, decodeMessage } from './message.ts';
import type { MessagesRequest } from './schema.ts';

const PARAMS = ['temperature', 'top_p', 'top_k', 'max_tokens'] as const satisfies (keyof Params)[];

const NAMED = [
  'model',
  'messages',
  'system',
  'stream',
  'stop_sequences',
  'tools',
  'tool_choice',
  'output_config',
  'reasoning_effort',
  ...PARAMS,
];

const NATIVE = [
  'thinking',
  'anthropic_beta',
  'anthropic_version',
  'betas',
  'cache_control',
  'container',
  'context_management',
  'inference_geo',
  'mcp_servers',
  'speed',
];

export function decodeMessagesRequest(body: MessagesRequest): Turn {
  return {
    origin: 'messages',
    model: body.model,
    system: decodeBlocks(body.system ?? '').filter(isText),
    messages: body.messages.flatMap(decodeMessage),
    tools: (body.tools ?? []).map(decodeTool),
    toolChoice: decodeToolChoice(body.tool_choice),
    params: decodeParams(body),
    stop: body.stop_sequences ?? [],
    stream: body.stream === true,
    wantsUsage: true,
    responseFormat: decodeFormat(body.output_config?.format),
    native: pick(body, NATIVE),
    extra: without(body, [...NAMED, ...NATIVE]) ?? {},
  };
}

function decodeParams(body: MessagesRequest): Params {
  const effort = body.reasoning_effort ?? stringAt(body.output_config, 'effort');
  const parallel = body.tool_choice?.disable_parallel_tool_use;
  return {
    ...pick(body, PARAMS),
    ...(effort && { reasoning_effort: effort }),
    ...(body.thinking && { think: body.thinking.type !== 'disabled' }),
    ...(typeof parallel === 'boolean' && { parallel_tool_calls: !parallel }),
  };
}

/** Tools the service itself would run carry a type of their own and no schema; nobody else can run them. */
function decodeTool(tool: Fields): Tool {
  const isOurs = tool.type === undefined || tool.type === 'custom';
  const spec = isOurs ? decodeFunction(tool, tool.input_schema) : undefined;
  if (!spec) return { type: 'foreign', origin: 'messages', value: tool };
  return { ...spec, extra: without(tool, ['type', 'name', 'description', 'input_schema', 'strict']) };
}

function decodeToolChoice(choice: MessagesRequest['tool_choice']): ToolChoice | undefined {
  if (choice?.type === 'tool') return { name: stringAt(choice, 'name') ?? '' };
  return CHOICES.get(choice?.type ?? '');
}

const CHOICES: ReadonlyMap<string, ToolChoice> = new Map([
  ['auto', 'auto'],
  ['none', 'none'],
  ['any', 'required'],
]);

const decodeFormat = (format: unknown): ResponseFormat | undefined =>
  isObject(format) && format.type === 'json_schema' ? decodeSchemaFormat(format) : undefined;
