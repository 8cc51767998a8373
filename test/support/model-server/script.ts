import type { ServerResponse } from 'node:http';
import type { ChatBody } from './chat.ts';
import { knobsOf } from './knobs.ts';
import { sendJson, sendStream } from './send.ts';
import type { Talk } from './talk.ts';

/** One answer of a model, written by a test. How it is sent is still said by the model's name. */
export interface Scripted {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Exactly these deltas of a stream, for what servers do differently from the ordinary way below. */
  readonly deltas?: readonly object[];
  readonly usage?: Readonly<Record<string, unknown>>;
  /** Refuses with it. */
  readonly status?: number;
}

export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  /** JSON text, or what a model takes for it. */
  readonly arguments: string;
}

export type Script = (body: ChatBody) => Scripted | undefined;

const head = { id: 'chatcmpl-script', created: 1_700_000_000 };

export async function sayScripted(response: ServerResponse, { model, stream }: ChatBody, scripted: Scripted) {
  const { status } = scripted;
  if (status) return sendJson(response, status, { error: { message: `asked for ${status}`, type: 'test_error' } });
  const knobs = knobsOf(model);
  if (!stream || knobs.has('whole')) return sendJson(response, 200, wholeReply(model, scripted));
  const frames = chunksOf(model, scripted).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  const error = `data: ${JSON.stringify({ error: { message: 'The model broke' } })}\n\n`;
  return sendStream(response, { type: 'text/event-stream', frames, error, closing: 'data: [DONE]\n\n' }, knobs);
}

const finishOf = ({ calls = [], deltas }: Scripted) =>
  calls.length > 0 || deltas?.some((delta) => 'tool_calls' in delta) ? 'tool_calls' : 'stop';

function wholeReply(model: string, scripted: Scripted) {
  const { text = '', calls = [], usage } = scripted;
  const tool_calls = calls.map(({ id, name, arguments: given }, at) => ({
    id: id ?? `call_${at}`,
    type: 'function',
    function: { name, arguments: given },
  }));
  const message = { role: 'assistant', content: text || null, ...(tool_calls.length > 0 && { tool_calls }) };
  const choices = [{ index: 0, message, finish_reason: finishOf(scripted) }];
  return { ...head, object: 'chat.completion', model, choices, ...(usage && { usage }) };
}

function chunksOf(model: string, scripted: Scripted): object[] {
  const { text = '', calls = [], usage, deltas } = scripted;
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...head,
    object: 'chat.completion.chunk',
    model,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const said = deltas ?? [...pieces(text).map((content) => ({ content })), ...calls.flatMap(callDeltas)];
  return [
    chunk({ role: 'assistant', content: '' }),
    ...said.map((delta) => chunk(delta)),
    chunk({}, finishOf(scripted)),
    ...(usage ? [{ ...chunk({}), choices: [], usage }] : []),
  ];
}

/** Id and name first, then the arguments in small pieces that only carry the index. */
const callDeltas = ({ id, name, arguments: given }: ScriptedCall, index: number) => [
  { tool_calls: [{ index, id: id ?? `call_${index}`, type: 'function', function: { name, arguments: '' } }] },
  ...pieces(given).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
];

const pieces = (text: string): string[] => text.match(/[\s\S]{1,3}/gu) ?? [];

/** The same for a runtime, which sends its calls whole and their arguments as objects. */
export const scriptedTalk = (model: string, { text = '', calls = [] }: Scripted): Talk => ({
  knobs: knobsOf(model),
  thinking: [],
  pieces: pieces(text),
  calls: calls.map(({ name, arguments: given }) => ({ name, arguments: JSON.parse(given) as Record<string, unknown> })),
});
