import { passForeign, unsupported } from '../foreign.ts';
import { encodeFunction, NO_PARAMETERS } from '../function-tool.ts';
import { pick } from '../json-value.ts';
import { contentOf, isText, readDataUrl } from '../parts.ts';
import { parseArguments } from '../tool-arguments.ts';
import type { ContentPart, Fields, Message, Part, ToolChoice, Tool, Turn } from '../turn.ts';

/** The format insists on a limit; this one every model of it can write. */
const DEFAULT_MAX_TOKENS = 4096;

/** A turn as the body of an upstream messages request. */
export function encodeMessagesRequest(turn: Turn): Fields {
  const { params, native } = turn;
  const said = turn.messages.filter(({ role }) => role !== 'system');
  const system = [...turn.system, ...turn.messages.filter(({ role }) => role === 'system').flatMap(contentOf)];
  return {
    ...turn.extra,
    ...(turn.origin === 'messages' && native),
    model: turn.model,
    max_tokens: params.max_completion_tokens ?? params.max_tokens ?? DEFAULT_MAX_TOKENS,
    ...(system.length > 0 && { system: encodeContent(system) }),
    messages: joinResults(said).map((message) => encodeMessage(message)),
    ...pick(params, ['temperature', 'top_p', 'top_k']),
    ...(turn.stop.length > 0 && { stop_sequences: turn.stop }),
    ...(turn.tools.length > 0 && { tools: turn.tools.map((tool) => encodeTool(tool, turn.origin === 'messages')) }),
    ...encodeToolChoice(turn.toolChoice, params.parallel_tool_calls),
    ...encodeOutput(turn),
    stream: turn.stream,
  };
}

/** Results of tools, and what the user says next, stand in one message of this format. */
function joinResults(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    const follows = last?.role === 'tool' && (message.role === 'tool' || message.role === 'user');
    if (!follows) joined.push(message);
    else joined.splice(-1, 1, { role: message.role, parts: [...last.parts, ...message.parts] });
  }
  return joined;
}

function encodeMessage({ role, parts }: Message): Fields {
  const [only, ...more] = parts;
  const isPlain = more.length === 0 && (!only || (only.type === 'text' && !only.extra));
  const content = isPlain ? (only?.type === 'text' ? only.text : '') : parts.flatMap(encodePart);
  return { role: role === 'assistant' ? 'assistant' : 'user', content };
}

function encodeContent(parts: readonly ContentPart[]): string | Fields[] {
  const [only, ...more] = parts;
  return more.length === 0 && only && isText(only) && !only.extra ? only.text : parts.flatMap(encodePart);
}

function encodePart(part: Part): Fields[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text, ...part.extra }];
    case 'image':
      return [{ type: 'image', source: encodeSource(part.url), ...part.extra }];
    case 'file':
      return [{ type: 'document', source: encodeSource(part.url), ...(part.filename && { title: part.filename }) }];
    case 'thinking':
      if (part.redacted !== undefined) return [{ type: 'redacted_thinking', data: part.redacted }];
      return part.signature ? [{ type: 'thinking', thinking: part.text, signature: part.signature }] : [];
    case 'tool_call':
      return [{ type: 'tool_use', id: part.id, name: part.name, input: parseArguments(part.arguments) }];
    case 'tool_result': {
      const content = encodeContent(part.content);
      const failed = part.isError && { is_error: true };
      return [
        { type: 'tool_result', tool_use_id: part.id, ...(content.length > 0 && { content }), ...failed, ...part.extra },
      ];
    }
    case 'foreign':
      return [passForeign(part, 'messages')];
  }
}

function encodeSource(url: string): Fields {
  const inline = readDataUrl(url);
  if (inline) return { type: 'base64', media_type: inline.mediaType, data: inline.data };
  if (/^https?:/i.test(url)) return { type: 'url', url };
  throw unsupported(url.slice(0, 40));
}

function encodeTool(tool: Tool, isNative: boolean): Fields {
  if (tool.type === 'foreign') return passForeign(tool, 'messages');
  const { parameters, ...spec } = encodeFunction(tool);
  return { ...spec, input_schema: parameters ?? NO_PARAMETERS, ...(isNative && tool.extra) };
}

const CHOICES = { auto: 'auto', none: 'none', required: 'any' } as const;

function encodeToolChoice(choice: ToolChoice | undefined, parallel: boolean | undefined): Fields {
  if (choice === undefined && parallel === undefined) return {};
  const named = typeof choice === 'object' ? { type: 'tool', name: choice.name } : { type: CHOICES[choice ?? 'auto'] };
  return { tool_choice: { ...named, ...(parallel !== undefined && { disable_parallel_tool_use: !parallel }) } };
}

function encodeOutput({ params, responseFormat }: Turn): Fields {
  if (responseFormat?.type === 'json') throw unsupported('response_format json_object');
  const effort = params.reasoning_effort && { effort: params.reasoning_effort };
  const format = responseFormat && { format: { type: 'json_schema', schema: responseFormat.schema } };
  return effort || format ? { output_config: { ...effort, ...format } } : {};
}
