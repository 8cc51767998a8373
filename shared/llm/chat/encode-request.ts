import { passForeign } from '../foreign.ts';
import { encodeFunction } from '../function-tool.ts';
import { callsOf, contentOf, thinkingOf } from '../parts.ts';
import type {
  ContentPart,
  Fields,
  Message,
  Origin,
  ResponseFormat,
  TextPart,
  Tool,
  ToolCallPart,
  ToolChoice,
  ToolResultPart,
  Turn,
} from '../turn.ts';

/** A turn as the body of an upstream chat-completions request. */
export function encodeChatRequest(turn: Turn): Fields {
  const { think: _, ...params } = turn.params;
  return {
    ...turn.extra,
    ...(turn.origin === 'chat' && turn.native),
    model: turn.model,
    messages: [...encodeSystem(turn.system), ...turn.messages.map(encodeMessage)],
    ...params,
    ...(turn.stop.length > 0 && { stop: turn.stop }),
    ...(turn.tools.length > 0 && { tools: turn.tools.map((tool) => encodeTool(tool, turn.origin)) }),
    ...(turn.toolChoice && { tool_choice: encodeToolChoice(turn.toolChoice) }),
    ...(turn.responseFormat && { response_format: encodeFormat(turn.responseFormat) }),
    stream: turn.stream,
    ...(turn.stream && turn.wantsUsage && { stream_options: usageOptions(turn.native) }),
  };
}

const usageOptions = ({ stream_options: sent }: Fields) => ({
  ...(typeof sent === 'object' ? sent : {}),
  include_usage: true,
});

const encodeSystem = (system: readonly TextPart[]) =>
  system.length === 0 ? [] : [{ role: 'system', content: encodeContent(system) }];

function encodeMessage(message: Message): Fields {
  const [result] = message.parts;
  if (result?.type === 'tool_result') return { role: 'tool', ...encodeResult(result), ...message.extra };
  const calls = callsOf(message);
  const unsigned = thinkingOf(message).filter(({ signature }) => signature === undefined);
  return {
    role: message.role,
    content: encodeContent(contentOf(message)),
    ...(unsigned.length > 0 && { reasoning_content: unsigned.map(({ text }) => text).join('') }),
    ...(calls.length > 0 && { tool_calls: calls.map(encodeCall) }),
    ...message.extra,
  };
}

/** One plain text stays a string, as most servers expect; anything richer becomes a list of parts. */
function encodeContent(parts: readonly ContentPart[]): string | Fields[] {
  const [only, ...more] = parts;
  if (!only) return '';
  if (more.length === 0 && only.type === 'text' && !only.extra) return only.text;
  return parts.map(encodePart);
}

function encodePart(part: ContentPart): Fields {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...part.extra };
    case 'image':
      return {
        type: 'image_url',
        image_url: { url: part.url, ...(part.detail && { detail: part.detail }) },
        ...part.extra,
      };
    case 'file':
      return { type: 'file', file: { file_data: part.url, ...(part.filename && { filename: part.filename }) } };
    case 'foreign':
      return passForeign(part, 'chat');
  }
}

/** The format has no way to mark a failed tool, so the text says it. */
function encodeResult({ id, content, isError }: ToolResultPart): Fields {
  const prefix = isError ? 'Error: ' : '';
  const texts = content.filter((part) => part.type === 'text').map(({ text }) => text);
  if (texts.length === content.length) return { tool_call_id: id, content: prefix + texts.join('\n') };
  const lead = isError ? [{ type: 'text', text: prefix }] : [];
  return { tool_call_id: id, content: [...lead, ...content.map(encodePart)] };
}

const encodeCall = (call: ToolCallPart) => ({
  id: call.id,
  type: 'function',
  function: { name: call.name, arguments: call.arguments },
  ...call.extra,
});

function encodeTool(tool: Tool, origin: Origin): Fields {
  if (tool.type === 'foreign') return passForeign(tool, 'chat');
  return { type: 'function', function: encodeFunction(tool), ...(origin === 'chat' && tool.extra) };
}

const encodeToolChoice = (choice: ToolChoice) =>
  typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };

function encodeFormat(format: ResponseFormat): Fields {
  if (format.type === 'json') return { type: 'json_object' };
  const { type, name = 'answer', ...schema } = format;
  return { type, json_schema: { name, ...schema } };
}
