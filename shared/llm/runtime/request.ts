import { AppError } from '../../errors.ts';
import { decodeFunction } from '../function-tool.ts';
import { isObject, objectAt, pick, stringAt, without } from '../json-value.ts';
import { dataUrl, splitSystem } from '../parts.ts';
import type { RuntimeChatRequest, RuntimeGenerateRequest, RuntimeMessage, Shared } from './schema.ts';
import type { Fields, ImagePart, Message, Params, Part, ResponseFormat, Tool, Turn } from '../turn.ts';

const OPTIONS = ['temperature', 'top_p', 'top_k', 'seed', 'presence_penalty', 'frequency_penalty'] as const;
const NATIVE = ['options', 'keep_alive', 'template', 'context', 'raw', 'suffix', 'logprobs', 'top_logprobs'];
const NAMED = ['model', 'stream', 'format', 'think', 'messages', 'tools', 'prompt', 'system', 'images'];

export const decodeRuntimeChatRequest = (body: RuntimeChatRequest): Turn => ({
  ...decodeShared(body),
  ...splitSystem(decodeMessages(body.messages)),
  tools: (body.tools ?? []).map(decodeTool),
});

export function decodeRuntimeGenerateRequest(body: RuntimeGenerateRequest): Turn {
  const text: Part[] = body.prompt ? [{ type: 'text', text: body.prompt }] : [];
  return {
    ...decodeShared(body),
    system: body.system ? [{ type: 'text', text: body.system }] : [],
    messages: [{ role: 'user', parts: [...text, ...(body.images ?? []).map(decodeImage)] }],
    tools: [],
  };
}

const decodeShared = (body: Shared): Omit<Turn, 'system' | 'messages' | 'tools'> => ({
  origin: 'runtime',
  model: body.model,
  params: decodeParams(body),
  stop: [body.options?.stop ?? []].flat(),
  stream: body.stream !== false,
  wantsUsage: true,
  responseFormat: decodeFormat(body.format),
  native: pick(body, NATIVE),
  extra: without(body, [...NAMED, ...NATIVE]) ?? {},
});

function decodeParams({ options, think }: Shared): Params {
  const limit = options?.num_predict;
  return {
    ...(options && pick(options, OPTIONS)),
    ...(limit !== undefined && limit > 0 && { max_tokens: limit }),
    ...(typeof think === 'string' && { reasoning_effort: think }),
    ...(typeof think === 'boolean' && { think }),
  };
}

const decodeFormat = (format: Shared['format']): ResponseFormat | undefined =>
  isObject(format) ? { type: 'json_schema', schema: format } : format === 'json' ? { type: 'json' } : undefined;

/** Calls have no ids here; results follow them in order, or say which tool they come from. */
function decodeMessages(messages: readonly RuntimeMessage[]): Message[] {
  let open: { id: string; name: string }[] = [];
  return messages.map((message, at): Message => {
    const calls = (message.tool_calls ?? []).map((call, index) => decodeCall(call, `call_${at}_${index}`));
    const role = decodeRole(message.role);
    if (role === 'assistant') open = calls.map(({ id, name }) => ({ id, name }));
    if (role !== 'tool') return { role, parts: [...spoken(message), ...calls] };
    const named = open.findIndex(({ name }) => name === stringAt(message, 'tool_name'));
    const [answered] = open.splice(Math.max(0, named), 1);
    const id = stringAt(message, 'tool_call_id') ?? answered?.id ?? '';
    const content = message.content ? [{ type: 'text' as const, text: message.content }] : [];
    return { role, parts: [{ type: 'tool_result', id, content }] };
  });
}

function decodeRole(role: string): Message['role'] {
  const known = ROLES.find((one) => one === role);
  if (!known) throw new AppError('invalid_request', `There is no role "${role}"`);
  return known;
}

const ROLES: readonly Message['role'][] = ['system', 'user', 'assistant', 'tool'];

const spoken = ({ thinking, content, images }: RuntimeMessage): Part[] => [
  ...(thinking ? [{ type: 'thinking' as const, text: thinking }] : []),
  ...(content ? [{ type: 'text' as const, text: content }] : []),
  ...(images ?? []).map(decodeImage),
];

const decodeCall = (call: Fields, ownId: string) => ({
  type: 'tool_call' as const,
  id: stringAt(call, 'id') || ownId,
  name: stringAt(call.function, 'name') ?? '',
  arguments: JSON.stringify(objectAt(call.function, 'arguments')),
});

/** Images come as bare base64; the first letters of each kind are always the same. */
const decodeImage = (data: string): ImagePart => {
  const [, type = 'png'] = KINDS.find(([start]) => data.startsWith(start)) ?? [];
  return { type: 'image', url: dataUrl(`image/${type}`, data) };
};

const KINDS: readonly (readonly [string, string])[] = [
  ['/9j/', 'jpeg'],
  ['iVBOR', 'png'],
  ['R0lGOD', 'gif'],
  ['UklGR', 'webp'],
];

const decodeTool = (tool: Fields): Tool =>
  decodeFunction(objectAt(tool, 'function')) ?? { type: 'foreign', origin: 'runtime', value: tool };
