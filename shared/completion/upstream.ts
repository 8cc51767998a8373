import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { parseJson } from '../llm/json-value.ts';
import { decodeError } from '../llm/model-error.ts';
import { replyEvents, type Reply } from '../llm/reply.ts';
import type { TurnReader } from '../llm/turn-reader.ts';
import { chatUpstream } from '../llm/chat/protocol.ts';
import { upstreamFormat, type UpstreamFormat } from '../llm/upstream-format.ts';
import type { Outbound } from '../net/outbound.ts';
import type { OutboundResponse } from '../net/response.ts';
import { asModelError, refusalOf } from './refusal.ts';
import type { Ask, Say, Speak, Speech } from './speech.ts';
import type { Address } from './target.ts';

export interface Way {
  readonly outbound: Outbound;
  /** For one reply, to its last byte. */
  readonly timeoutMs: number;
}

const PATHS = { chat: '/chat/completions', messages: '/messages', runtime: '/api/chat' } as const;

/** What a whole answer may weigh; no function could return more. */
const LARGEST_REPLY = 6 * 1024 * 1024;
const LARGEST_ERROR = 64 * 1024;

/** Asks a model server in the format it understands. */
export const speakOver =
  (way: Way, address: Address): Speak =>
  async (ask, signal) => {
    const format = await formatOf(address.format);
    const response = await way.outbound.request(`${address.baseUrl}${PATHS[address.format]}`, {
      method: 'POST',
      headers: { ...FORMAT_HEADERS[address.format], ...address.headers, 'content-type': 'application/json' },
      body: bodyFor(ask, address, format),
      timeoutMs: way.timeoutMs,
      trusted: address.trusted,
      // Servers close quiet connections without a word; nobody has heard anything of an answer then.
      replayable: true,
      signal,
    });
    if (response.status < 200 || response.status > 299) throw await readRefusal(response);
    // Only a chat-completions server says what could be passed on as it is.
    const isRelayable = address.format === 'chat';
    return ask.isStreamed && !isJson(response)
      ? { ...streamed(response, format, signal), ...(isRelayable && { response }) }
      : whole(response, format, isRelayable);
  };

const CHAT = upstreamFormat(chatUpstream);

/** What most requests do not need is loaded with the first that does. */
const formatOf = async (name: Address['format']): Promise<UpstreamFormat> =>
  name === 'chat' ? CHAT : (await import('../llm/upstream-formats.ts')).UPSTREAM_FORMATS[name];

const FORMAT_HEADERS = {
  chat: {},
  messages: { 'anthropic-version': '2023-06-01' },
  runtime: {},
} as const satisfies Record<Address['format'], Readonly<Record<string, string>>>;

const bodyFor = (ask: Ask, address: Address, { encodeRequest }: UpstreamFormat) =>
  (address.format === 'chat' ? ask.chatText : undefined) ??
  JSON.stringify(encodeRequest({ ...ask.turn(), model: address.model, stream: ask.isStreamed }));

/** Servers that cannot stream answer a streamed question with a whole reply. */
const isJson = ({ headers }: OutboundResponse) => /^application\/json/i.test(headers['content-type'] ?? '');

export async function readRefusal(response: OutboundResponse): Promise<AppError> {
  const text = await response.text(LARGEST_ERROR).catch(() => '');
  return refusalOf(decodeError(text, response.status), response.headers['retry-after']);
}

async function whole(response: OutboundResponse, format: UpstreamFormat, isRelayable: boolean): Promise<Speech> {
  const bytes = await response.bytes(LARGEST_REPLY);
  const reply = format.decodeReply(parseJson(bytes.toString('utf8')), newId());
  if (reply.error) throw refusalOf(reply.error);
  return { ...sayingWhole(reply), ...(isRelayable && { json: bytes }) };
}

export const sayingWhole = (reply: Reply): Speech => ({ listen: async (say) => say([...replyEvents(reply)]) });

function streamed(response: OutboundResponse, format: UpstreamFormat, signal: AbortSignal): Speech {
  const reader = format.createReader(newId());
  return { listen: (say) => follow(response, reader, say, signal) };
}

async function follow(response: OutboundResponse, reader: TurnReader, say: Say, signal: AbortSignal) {
  let failure: AppError | undefined;
  try {
    await response.pump((chunk) => {
      const events = reader.push(chunk);
      return events.length > 0 ? say(events) : undefined;
    });
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof AppError)) throw error;
    failure = error;
  }
  const rest = reader.end();
  const last = rest.at(-1);
  // An answer that was complete stays so, even when its connection then broke.
  const isCut = failure !== undefined && last?.type === 'error';
  await say(isCut ? [...rest.slice(0, -1), { type: 'error', error: asModelError(failure) }] : rest);
}
