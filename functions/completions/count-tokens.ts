import { askTurn } from '../../shared/completion/ask.ts';
import { withoutOwn } from '../../shared/completion/own-fields.ts';
import type { Targets } from '../../shared/completion/targets.ts';
import type { Address } from '../../shared/completion/target.ts';
import { readRefusal, type Way } from '../../shared/completion/upstream.ts';
import { AppError } from '../../shared/errors.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { numberAt } from '../../shared/llm/json-value.ts';
import { encodeMessagesRequest } from '../../shared/llm/messages/encode-request.ts';
import { decodeMessagesRequest } from '../../shared/llm/messages/request.ts';
import type { MessagesRequest } from '../../shared/llm/messages/schema.ts';
import type { Message, Part, Turn } from '../../shared/llm/turn.ts';
import type { Clock } from '../../shared/time.ts';

export interface CountParts {
  readonly targets: Targets;
  readonly way: Way;
  readonly now: Clock;
}

/** The server's own count where it has one, otherwise an estimate that says so. */
export async function countTokens(parts: CountParts, actor: UserActor, body: MessagesRequest) {
  const decoded = decodeMessagesRequest(body);
  const turn = { ...decoded, extra: withoutOwn(decoded.extra) };
  const target = await parts.targets.find(actor, turn.model);
  const asked = askTurn(turn, { target, author: actor, now: parts.now() }).turn();
  if (target.via.kind === 'server' && target.via.format === 'messages')
    return { input_tokens: await countThere(parts.way, target.via, asked) };
  return { input_tokens: estimate(asked), estimated: true };
}

async function countThere({ outbound, timeoutMs }: Way, address: Address, turn: Turn): Promise<number> {
  const { max_tokens: _limit, stream: _stream, ...body } = encodeMessagesRequest({ ...turn, model: address.model });
  const response = await outbound.request(`${address.baseUrl}/messages/count_tokens`, {
    method: 'POST',
    headers: { 'anthropic-version': '2023-06-01', ...address.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    trusted: address.trusted,
    replayable: true,
    timeoutMs,
  });
  if (response.status !== 200) throw await readRefusal(response);
  const count = numberAt(await response.json(64 * 1024), 'input_tokens');
  if (count === undefined)
    throw new AppError('upstream_failed', 'The model server did not say how many tokens there are');
  return count;
}

const BYTES_PER_TOKEN = 4;
const PER_MESSAGE = 4;
/** What providers charge at most for an image of ordinary size. */
const PER_IMAGE = 1600;

/** Four bytes a token, as English prose and code come out on average, and a little for what frames each message. */
export function estimate({ system, messages, tools }: Turn): number {
  const texts = [...system.map(({ text }) => text), ...tools.map((tool) => JSON.stringify(tool))];
  const whole = texts.reduce((sum, text) => sum + tokensIn(text), 0);
  return messages.reduce((sum, message) => sum + PER_MESSAGE + messageTokens(message), whole);
}

const messageTokens = ({ parts }: Message): number => parts.reduce((sum, part) => sum + partTokens(part), 0);

function partTokens(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'thinking':
      return tokensIn(part.text);
    case 'image':
      return PER_IMAGE;
    case 'file':
      return tokensIn(part.url);
    case 'tool_call':
      return tokensIn(part.name + part.arguments);
    case 'tool_result':
      return messageTokens({ role: 'tool', parts: part.content });
    case 'foreign':
      return tokensIn(JSON.stringify(part.value));
  }
}

const tokensIn = (text: string) => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
