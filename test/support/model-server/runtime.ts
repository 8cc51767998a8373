import type { ServerResponse } from 'node:http';
import type { ChatBody } from './chat.ts';
import { scriptedTalk, type Script } from './script.ts';
import { sendJson, sendStream } from './send.ts';
import { talkAbout, USAGE, type Question, type Talk } from './talk.ts';

/** The local runtime's own API: NDJSON by default, one object when `stream` is false. */

export interface RuntimeBody {
  readonly model?: string;
  readonly name?: string;
  readonly stream?: boolean;
  readonly prompt?: string;
  readonly input?: string | readonly string[];
  readonly images?: readonly string[];
  readonly messages?: readonly {
    readonly role: string;
    readonly content?: string;
    readonly images?: readonly string[];
  }[];
  readonly tools?: readonly { readonly function?: { readonly name: string } }[];
}

const created_at = '2026-01-01T00:00:00.000000Z';
const COUNTS = {
  total_duration: 5_000_000,
  load_duration: 1_000_000,
  prompt_eval_count: USAGE.prompt,
  prompt_eval_duration: 1_000_000,
  eval_count: USAGE.completion,
  eval_duration: 2_000_000,
};

export function answerRuntimeChat(
  response: ServerResponse,
  body: RuntimeBody & ChatBody,
  { script }: { readonly script?: Script } = {},
) {
  const scripted = script?.(body);
  const talk = scripted ? scriptedTalk(body.model, scripted) : talkAbout(chatQuestion(body));
  const message = (fields: object) => ({ message: { role: 'assistant', content: '', ...fields } });
  const calls = talk.calls.map(({ name, arguments: given }) => ({ function: { name, arguments: given } }));
  const steps = [
    ...talk.thinking.map((thinking) => message({ thinking })),
    ...talk.pieces.map((content) => message({ content })),
    ...calls.map((call) => message({ tool_calls: [call] })),
  ];
  const whole = message({
    content: talk.pieces.join(''),
    ...(talk.thinking.length > 0 && { thinking: talk.thinking.join('') }),
    ...(calls.length > 0 && { tool_calls: calls }),
  });
  return answer(response, body, { talk, steps, whole, last: message({}) });
}

export function answerGenerate(response: ServerResponse, body: RuntimeBody) {
  const { model = '', prompt = '', images = [] } = body;
  const talk = talkAbout({ model, text: prompt, images: images.length, tools: [], hasToolResult: false });
  const steps = talk.pieces.map((piece) => ({ response: piece }));
  return answer(response, body, { talk, steps, whole: { response: talk.pieces.join('') }, last: { response: '' } });
}

interface Answer {
  readonly talk: Talk;
  readonly steps: readonly object[];
  readonly whole: object;
  readonly last: object;
}

async function answer(
  response: ServerResponse,
  { model, stream = true }: RuntimeBody,
  { talk, steps, whole, last }: Answer,
) {
  const head = { model, created_at };
  const end = { done: true, done_reason: 'stop', ...COUNTS };
  if (!stream || talk.knobs.has('whole')) return sendJson(response, 200, { ...head, ...whole, ...end });
  const lines = [...steps.map((step) => ({ ...head, ...step, done: false })), { ...head, ...last, ...end }];
  const frames = lines.map((line) => `${JSON.stringify(line)}\n`);
  const error = `${JSON.stringify({ error: 'The model broke' })}\n`;
  return sendStream(response, { type: 'application/x-ndjson', frames, error, closing: '' }, talk.knobs);
}

function chatQuestion({ model = '', messages = [], tools = [] }: RuntimeBody): Question {
  const last = messages.findLast(({ role }) => role === 'user');
  return {
    model,
    text: last?.content ?? '',
    images: last?.images?.length ?? 0,
    tools: tools.flatMap((tool) => tool.function?.name ?? []),
    hasToolResult: messages.at(-1)?.role === 'tool',
  };
}

const vector = (seed: number) => Array.from({ length: 8 }, (_, i) => Math.sin(seed + i));
const inputs = (input: RuntimeBody['input']) => [input ?? []].flat();

export const embedReply = ({ model, input }: RuntimeBody) => ({
  model,
  embeddings: inputs(input).map((_, i) => vector(i)),
  total_duration: 1,
  load_duration: 1,
  prompt_eval_count: inputs(input).length,
});

export const embeddingsReply = ({ model, input }: RuntimeBody) => ({
  object: 'list',
  model,
  data: inputs(input).map((_, index) => ({ object: 'embedding', index, embedding: vector(index) })),
  usage: { prompt_tokens: 1, total_tokens: 1 },
});

export const tagOf = (name: string) => ({
  name,
  model: name,
  modified_at: created_at,
  size: 4_000_000_000,
  digest: 'sha256:0123456789abcdef',
  details: {
    parent_model: '',
    format: 'gguf',
    family: 'test',
    families: ['test'],
    parameter_size: '7B',
    quantization_level: 'Q4_0',
  },
});

export const showReply = {
  license: '',
  modelfile: '# a test model',
  parameters: '',
  template: '{{ .Prompt }}',
  details: tagOf('x').details,
  model_info: { 'general.architecture': 'test', 'test.context_length': 8192, 'test.embedding_length': 8 },
  capabilities: ['completion', 'tools'],
};
