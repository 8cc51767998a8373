import { ChatRequest, decodeChatRequest } from '../llm/chat/request.ts';
import { isObject, parseJson, without } from '../llm/json-value.ts';
import type { Fields, Turn } from '../llm/turn.ts';
import { invalid } from '../errors.ts';

/** Settings of the gateway itself that live among a model's parameters. */
const OWN_PARAMS = [
  'system',
  'stream_response',
  'stream_delta_chunk_size',
  'function_calling',
  'reasoning_tags',
  'compact_token_threshold',
  'custom_params',
];

/**
 * The turn with settings laid under it: what the request itself says wins over what its `params` say, and those win over
 * the model's own. Settings carry the names of the chat-completions format, whatever the request was written in.
 */
export function withParams(turn: Turn, layers: readonly Fields[]): Turn {
  const settings = layers.map(toSettings).reduce<Fields>(merge, {});
  if (Object.keys(settings).length === 0) return turn;
  const below = decodeSettings(turn.model, settings);
  return {
    ...turn,
    params: { ...below.params, ...turn.params },
    stop: turn.stop.length > 0 ? turn.stop : below.stop,
    tools: turn.tools.length > 0 ? turn.tools : below.tools,
    toolChoice: turn.toolChoice ?? below.toolChoice,
    responseFormat: turn.responseFormat ?? below.responseFormat,
    native: turn.origin === 'chat' ? { ...below.native, ...turn.native } : turn.native,
    extra: merge(below.extra, turn.extra),
  };
}

/** The last layer that has something to say about the system prompt, streaming and the like says it. */
export const systemOf = (params: Fields): string => (typeof params.system === 'string' ? params.system : '');

/** A model may insist on streaming, or on not streaming. */
export const streamOf = (params: Fields, asked: boolean): boolean =>
  typeof params.stream_response === 'boolean' ? params.stream_response : asked;

export const hasSettings = (params: Fields) => Object.keys(toSettings(params)).length > 0;

function toSettings(params: Fields): Fields {
  const plain = Object.entries(without(params, OWN_PARAMS) ?? {}).filter(([, value]) => value !== null && value !== '');
  const settings = Object.fromEntries(plain.map(([name, value]) => [name, readSetting(name, value)]));
  return merge(settings, customParams(params.custom_params));
}

/** People type these into a form: `50256:-100, 198:-50`. */
function readSetting(name: string, value: unknown): unknown {
  if (name !== 'logit_bias' || typeof value !== 'string') return value;
  const pairs = value.split(',').map((pair) => pair.split(':').map((part) => part.trim()));
  return Object.fromEntries(pairs.map(([token = '', bias]) => [token, Number(bias)]));
}

/** Free fields for a model that nobody here knows; their text may be JSON. */
function customParams(given: unknown): Fields {
  if (!isObject(given)) return {};
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'string' ? (parseJson(value) ?? value) : value,
    ]),
  );
}

function decodeSettings(model: string, settings: Fields): Turn {
  const result = ChatRequest.safeParse({ ...settings, model, messages: [], stream: false });
  if (result.success) return decodeChatRequest(result.data);
  throw invalid(
    result.error.issues.map(({ path, message, code }) => ({
      type: code,
      loc: ['body', 'params', ...path.map((part) => (typeof part === 'number' ? part : String(part)))],
      msg: message,
    })),
  );
}

/** Deep, the second wins. */
function merge(under: Fields, over: Fields): Fields {
  const merged: Record<string, unknown> = { ...under };
  for (const [name, value] of Object.entries(over)) {
    const below = merged[name];
    merged[name] = isObject(below) && isObject(value) ? merge(below, value) : value;
  }
  return merged;
}
