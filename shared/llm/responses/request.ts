import { AppError } from '../../errors.ts';
import { unsupported } from '../foreign.ts';
import { decodeFunction, decodeSchemaFormat } from '../function-tool.ts';
import { isObject, pick, stringAt, without } from '../json-value.ts';
import { splitSystem } from '../parts.ts';
import type { Fields, Params, ResponseFormat, Tool, ToolChoice, Turn } from '../turn.ts';
import { decodeInput } from './input.ts';
import type { ResponsesRequest } from './schema.ts';

const NAMED = [
  'model',
  'input',
  'instructions',
  'stream',
  'temperature',
  'top_p',
  'max_output_tokens',
  'parallel_tool_calls',
  'reasoning',
  'text',
  'tools',
  'tool_choice',
];

const NATIVE = [
  'background',
  'client_metadata',
  'context_management',
  'include',
  'max_tool_calls',
  'store',
  'truncation',
];

/** Fields that refer to what a server of this format remembers between requests; this one remembers nothing. */
const REMEMBERED = ['previous_response_id', 'conversation', 'prompt'];

export function decodeResponsesRequest(body: ResponsesRequest): Turn {
  refuseMemory(body);
  const { system, messages } = splitSystem(decodeInput(body.input));
  return {
    origin: 'responses',
    model: body.model,
    system: body.instructions ? [{ type: 'text', text: body.instructions }, ...system] : system,
    messages,
    tools: (body.tools ?? []).map(decodeTool),
    toolChoice: decodeToolChoice(body.tool_choice),
    params: decodeParams(body),
    stop: [],
    stream: body.stream === true,
    wantsUsage: true,
    responseFormat: decodeFormat(body.text?.format),
    native: pick(body, NATIVE),
    extra: { ...without(body, [...NAMED, ...NATIVE, ...REMEMBERED]), ...(body.text && pick(body.text, ['verbosity'])) },
  };
}

/** The request fields a response repeats. */
export const responsesEcho = (body: ResponsesRequest): Fields =>
  pick(body, [
    ...NAMED.filter((name) => !['model', 'input', 'stream'].includes(name)),
    'metadata',
    'truncation',
    'user',
  ]);

function refuseMemory(body: Fields): void {
  const asked = REMEMBERED.find((name) => body[name] != null) ?? (body.background === true ? 'background' : undefined);
  if (asked) throw new AppError('invalid_request', `"${asked}" needs a stored response; send the whole input instead`);
}

const decodeParams = (body: ResponsesRequest): Params => ({
  ...pick(body, ['temperature', 'top_p', 'parallel_tool_calls']),
  ...(body.max_output_tokens != null && { max_tokens: body.max_output_tokens }),
  ...(body.reasoning?.effort && { reasoning_effort: body.reasoning.effort }),
});

function decodeTool(tool: Fields): Tool {
  const spec = tool.type === 'function' ? decodeFunction(tool) : undefined;
  return spec ?? { type: 'foreign', origin: 'responses', value: tool };
}

function decodeToolChoice(choice: ResponsesRequest['tool_choice']): ToolChoice | undefined {
  if (choice == null) return undefined;
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const name = stringAt(choice, 'name');
  if (isObject(choice) && choice.type === 'function' && name !== undefined) return { name };
  throw unsupported(`tool_choice ${typeof choice === 'string' ? choice : choice.type}`);
}

function decodeFormat(format: Fields | null | undefined): ResponseFormat | undefined {
  if (format?.type === 'json_object') return { type: 'json' };
  return format?.type === 'json_schema' ? decodeSchemaFormat(format) : undefined;
}
