import type { ServerResponse } from 'node:http';
import { sayScripted, type Script } from './script.ts';
import { sendJson, sendStream } from './send.ts';
import { talkAbout, USAGE, type Question, type Talk } from './talk.ts';

/** The compatible API: chat completions as JSON and as server-sent events. */

interface Part {
  readonly type?: string;
  readonly text?: string;
}

export interface ChatBody {
  readonly model: string;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly messages?: readonly { readonly role: string; readonly content?: string | readonly Part[] | null }[];
  readonly tools?: readonly { readonly function?: { readonly name: string } }[];
}

export async function answerChat(
  response: ServerResponse,
  body: ChatBody,
  { script }: { readonly script?: Script } = {},
) {
  const scripted = script?.(body);
  if (scripted) return sayScripted(response, body, scripted);
  const talk = talkAbout(questionOf(body));
  if (!body.stream || talk.knobs.has('whole')) return sendJson(response, 200, wholeReply(body, talk));
  const frames = chunksOf(body, talk).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  const error = `data: ${JSON.stringify({ error: { message: 'The model broke', type: 'server_error', code: 500 } })}\n\n`;
  await sendStream(response, { type: 'text/event-stream', frames, error, closing: 'data: [DONE]\n\n' }, talk.knobs);
}

function questionOf({ model, messages = [], tools = [] }: ChatBody): Question {
  const last = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const parts: readonly Part[] = typeof last === 'string' ? [{ type: 'text', text: last }] : last;
  return {
    model,
    text: parts.map(({ text = '' }) => text).join(''),
    images: parts.filter(({ type }) => type === 'image_url').length,
    tools: tools.flatMap((tool) => tool.function?.name ?? []),
    hasToolResult: messages.at(-1)?.role === 'tool',
  };
}

const usage = {
  prompt_tokens: USAGE.prompt,
  completion_tokens: USAGE.completion,
  total_tokens: USAGE.prompt + USAGE.completion,
};

const callsOf = (talk: Talk) =>
  talk.calls.map(({ name, arguments: given }, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(given) },
  }));

const finishOf = (talk: Talk) => (talk.calls.length > 0 ? 'tool_calls' : 'stop');
const head = { id: 'chatcmpl-test', created: 1_700_000_000 };

function wholeReply({ model }: ChatBody, talk: Talk) {
  const calls = callsOf(talk).map(({ index: _index, ...call }) => call);
  const message = {
    role: 'assistant',
    content: talk.calls.length > 0 ? null : talk.pieces.join(''),
    ...(talk.thinking.length > 0 && { reasoning_content: talk.thinking.join('') }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: finishOf(talk) }];
  return { ...head, object: 'chat.completion', model, choices, usage };
}

/** Arguments of a call arrive in two pieces, as they do from real providers. */
function chunksOf({ model, stream_options }: ChatBody, talk: Talk) {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...head,
    object: 'chat.completion.chunk',
    model,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
  const calls = callsOf(talk).flatMap(({ function: { name, arguments: text }, ...call }) => [
    chunk({ tool_calls: [{ ...call, function: { name, arguments: text.slice(0, 5) } }] }),
    chunk({ tool_calls: [{ index: call.index, function: { arguments: text.slice(5) } }] }),
  ]);
  return [
    chunk({ role: 'assistant', content: '' }),
    ...talk.thinking.map((reasoning_content) => chunk({ reasoning_content })),
    ...talk.pieces.map((content) => chunk({ content })),
    ...calls,
    chunk({}, finishOf(talk)),
    ...(stream_options?.include_usage ? [{ ...chunk({}), choices: [], usage }] : []),
  ];
}
