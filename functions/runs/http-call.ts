import type { METHODS } from '../../shared/workflow/kinds/work.ts';
import { NodeFailure } from './failure.ts';
import { retryAfter } from './retry.ts';
import type { Session } from './session.ts';

export interface HttpCall {
  readonly method: (typeof METHODS)[number];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Lets the other side recognize a repeated call. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Any 2xx when absent. */
  readonly expectStatus?: readonly number[];
}

const LONGEST_ANSWER = 1024 * 1024;
const REDIRECTS = 5;

/** A request to an address that a person gave: guarded, bounded, and with a key that stays the same when repeated. */
export async function callHttp({ ports }: Session, call: HttpCall) {
  Object.entries(call.headers).forEach(demandHeader);
  const given = new Set(Object.keys(call.headers).map((name) => name.toLowerCase()));
  const response = await ports.outbound.request(call.url, {
    method: call.method,
    headers: {
      ...(!given.has('user-agent') && { 'user-agent': 'Atrium-Workflows' }),
      ...(!given.has('idempotency-key') && { 'idempotency-key': call.idempotencyKey }),
      ...call.headers,
    },
    body: call.body,
    signal: call.signal,
    timeoutMs: call.timeoutMs,
    redirects: REDIRECTS,
  });
  const text = await response.text(LONGEST_ANSWER);
  const { status } = response;
  const isExpected = call.expectStatus ? call.expectStatus.includes(status) : status >= 200 && status < 300;
  if (!isExpected) throw unexpected(status, text, retryAfter(response.headers['retry-after']));
  return { status, headers: shown(response.headers), body: bodyOf(text, response.headers['content-type']) };
}

/** How the message is framed and where it goes is not for the caller to say. */
const OURS = ['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'te', 'trailer', 'expect'];

function demandHeader([name, value]: [string, string]) {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || OURS.includes(name.toLowerCase()))
    throw new NodeFailure('bad_header', `The header "${name.slice(0, 100)}" cannot be set`);
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
    throw new NodeFailure('bad_header', `The header "${name}" has a value that cannot be sent`);
}

const PASSING = [408, 425, 429];

const unexpected = (status: number, text: string, retryAfterMs: number | undefined) =>
  new NodeFailure('http_status', `The address answered ${status}: ${text.slice(0, 500)}`, {
    retryable: status >= 500 || PASSING.includes(status),
    retryAfterMs,
  });

const shown = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));

function bodyOf(text: string, type = ''): unknown {
  if (!/\bjson\b/i.test(type)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
