import { AppError } from '../../shared/errors.ts';
import { type Answered, streamed } from '../../shared/http/streamed.ts';
import { jsonAnswer } from '../../shared/completion/deliver.ts';
import { asModelError } from '../../shared/completion/refusal.ts';
import type { Address } from '../../shared/completion/target.ts';
import { readRefusal, type Way } from '../../shared/completion/upstream.ts';
import { chatError, runtimeError } from '../../shared/llm/model-error.ts';
import type { OutboundResponse } from '../../shared/net/response.ts';

/** What is sent to a model server, and where. */
export interface Forwarding {
  readonly address: Pick<Address, 'baseUrl' | 'headers' | 'trusted'>;
  readonly path: string;
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly body?: string;
}

/** Passes a request through: whatever comes back goes on as it comes, chunk by chunk when it is a stream. */
export async function forward(way: Way, forwarding: Forwarding): Promise<Answered> {
  const abort = new AbortController();
  const response = await send(way, forwarding, abort.signal);
  const type = response.headers['content-type'] ?? 'application/x-ndjson';
  if (/^application\/json/i.test(type)) return jsonAnswer(await response.bytes(LARGEST_ANSWER));
  return streamed(
    async (sink) => {
      sink.gone.addEventListener('abort', () => abort.abort(HUNG_UP), { once: true });
      let isInLine = false;
      const write = (chunk: Buffer) => {
        isInLine = chunk.at(-1) !== LINE_END;
        return sink.write(chunk);
      };
      const failure = await pumpTo(write, response, abort.signal);
      if (failure) await sink.write(`${isInLine ? '\n' : ''}${brokenOff(failure, type)}`);
    },
    { 'content-type': type },
  );
}

const LARGEST_ANSWER = 6 * 1024 * 1024;
const LINE_END = 10;
const HUNG_UP = new Error('The caller has hung up');

/** The answer of a model server, when it is a good one. */
export async function send(
  { outbound, timeoutMs }: Way,
  forwarding: Forwarding,
  signal?: AbortSignal,
): Promise<OutboundResponse> {
  const { address, path, method = 'POST', body } = forwarding;
  const response = await outbound.request(`${address.baseUrl}${path}`, {
    method,
    headers: { ...address.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body,
    timeoutMs,
    trusted: address.trusted,
    signal,
  });
  if (response.status < 200 || response.status > 299) throw await readRefusal(response);
  return response;
}

async function pumpTo(write: (chunk: Buffer) => Promise<void> | void, response: OutboundResponse, signal: AbortSignal) {
  try {
    await response.pump(write);
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** The last word of a stream that was cut, in its own format. */
function brokenOff(failure: AppError, type: string): string {
  const error = asModelError(failure);
  return type.startsWith('text/event-stream')
    ? `\ndata: ${JSON.stringify(chatError(error))}\n\n`
    : `${JSON.stringify(runtimeError(error))}\n`;
}
