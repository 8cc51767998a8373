import { passForeign, unsupported } from '../foreign.ts';
import { encodeFunction, NO_PARAMETERS } from '../function-tool.ts';
import { objectAt, pick, without } from '../json-value.ts';
import { callsOf, contentOf, isText, readDataUrl, resultsOf, thinkingOf } from '../parts.ts';
import { parseArguments } from '../tool-arguments.ts';
import type { ContentPart, Fields, Message, Params, ResponseFormat, Tool, Turn } from '../turn.ts';

/** Settings only this runtime knows. Callers of other formats send them beside the rest; here they have a place. */
const OPTIONS = [
  'num_ctx',
  'num_batch',
  'num_gpu',
  'num_keep',
  'num_predict',
  'num_thread',
  'main_gpu',
  'min_p',
  'typical_p',
  'tfs_z',
  'repeat_last_n',
  'repeat_penalty',
  'mirostat',
  'mirostat_eta',
  'mirostat_tau',
  'penalize_newline',
  'use_mmap',
  'use_mlock',
];

/** A turn as the body of the runtime's native chat request. */
export function encodeRuntimeRequest(turn: Turn): Fields {
  const names = new Map(turn.messages.flatMap(callsOf).map(({ id, name }) => [id, name]));
  const system: Message[] = turn.system.length > 0 ? [{ role: 'system', parts: turn.system }] : [];
  const options = encodeOptions(turn);
  const tools = turn.toolChoice === 'none' ? [] : turn.tools;
  return {
    ...without(turn.extra, [...OPTIONS, 'options']),
    ...encodeNative(turn),
    model: turn.model,
    messages: [...system, ...turn.messages].map((message) => encodeMessage(message, names)),
    ...(Object.keys(options).length > 0 && { options }),
    ...(tools.length > 0 && { tools: tools.map(encodeTool) }),
    ...(turn.responseFormat && { format: encodeFormat(turn.responseFormat) }),
    ...encodeThink(turn.params),
    stream: turn.stream,
  };
}

function encodeNative({ origin, native }: Turn): Fields {
  if (origin === 'runtime') return without(native, ['options']) ?? {};
  return origin === 'chat' ? pick(native, ['logprobs', 'top_logprobs']) : {};
}

function encodeOptions({ extra, native, params, stop }: Turn): Fields {
  const limit = params.max_completion_tokens ?? params.max_tokens;
  return {
    ...objectAt(native, 'options'),
    ...pick(extra, OPTIONS),
    ...objectAt(extra, 'options'),
    ...pick(params, ['temperature', 'top_p', 'top_k', 'seed', 'presence_penalty', 'frequency_penalty']),
    ...(limit !== undefined && { num_predict: limit }),
    ...(stop.length > 0 && { stop }),
  };
}

/** The runtime knows three efforts, or thinking on and off. */
const EFFORTS: ReadonlyMap<string, string | false> = new Map<string, string | false>([
  ['none', false],
  ['minimal', 'low'],
  ['xhigh', 'high'],
  ['max', 'high'],
]);

function encodeThink({ reasoning_effort: effort, think }: Params): Fields {
  if (effort !== undefined) return { think: EFFORTS.get(effort) ?? effort };
  return think === undefined ? {} : { think };
}

function encodeMessage(message: Message, names: ReadonlyMap<string, string>): Fields {
  const [result] = resultsOf(message);
  if (result) {
    const failed = result.isError ? 'Error: ' : '';
    const name = names.get(result.id);
    const shown = encodeContent(result.content);
    return {
      role: 'tool',
      ...shown,
      content: failed + shown.content,
      ...(name && { tool_name: name }),
      tool_call_id: result.id,
    };
  }
  const thinking = thinkingOf(message)
    .map(({ text }) => text)
    .join('');
  const calls = callsOf(message).map(({ id, name, arguments: text }) => ({
    id,
    function: { name, arguments: parseArguments(text) },
  }));
  return {
    role: message.role,
    ...encodeContent(contentOf(message)),
    ...(thinking && { thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function encodeContent(parts: readonly ContentPart[]) {
  const images = parts.flatMap((part) => (isText(part) ? [] : [encodeImage(part)]));
  const content = parts
    .filter(isText)
    .map(({ text }) => text)
    .join('\n');
  return { content, ...(images.length > 0 && { images }) };
}

/** The runtime fetches nothing: whoever builds the turn must have put the bytes into it. */
function encodeImage(part: Exclude<ContentPart, { type: 'text' }>): string {
  if (part.type !== 'image') throw unsupported(part.type === 'file' ? 'file' : String(part.value.type));
  const inline = readDataUrl(part.url);
  if (!inline) throw unsupported('an image by its address');
  return inline.data;
}

const encodeTool = (tool: Tool): Fields =>
  tool.type === 'foreign'
    ? passForeign(tool, 'runtime')
    : { type: 'function', function: { parameters: NO_PARAMETERS, ...encodeFunction(tool) } };

const encodeFormat = (format: ResponseFormat) => (format.type === 'json' ? 'json' : format.schema);
