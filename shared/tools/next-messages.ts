import type { Reply } from '../llm/reply.ts';
import { soundArguments } from '../llm/tool-arguments.ts';
import type { ImagePart, Message, ToolCallPart } from '../llm/turn.ts';
import type { ToolCall } from '../llm/turn-event.ts';
import type { Called } from './call.ts';

/** What a model is shown of its own calls and their results when it is asked again. */
export const nextMessages = (reply: Reply, results: readonly Called[], seesImages: boolean): Message[] => [
  calling(reply),
  ...results.map(resulting),
  ...(seesImages ? picturing(results) : []),
];

const calling = ({ text, thinking, signature, toolCalls }: Reply): Message => ({
  role: 'assistant',
  parts: [
    ...(thinking ? [{ type: 'thinking' as const, text: thinking, signature }] : []),
    ...(text ? [{ type: 'text' as const, text }] : []),
    ...toolCalls.map(callPart),
  ],
});

const callPart = ({ id, name, arguments: text }: ToolCall): ToolCallPart => ({
  type: 'tool_call',
  id,
  name,
  arguments: soundArguments(text),
});

const resulting = ({ call, result }: Called): Message => ({
  role: 'tool',
  parts: [
    { type: 'tool_result', id: call.id, content: [{ type: 'text', text: result.text }], isError: result.isError },
  ],
});

/** Most formats take pictures from people only. */
function picturing(results: readonly Called[]): Message[] {
  const images = results.flatMap(({ result }) => result.images ?? []);
  const parts = images.map((url): ImagePart => ({ type: 'image', url }));
  return parts.length === 0 ? [] : [{ role: 'user', parts }];
}
