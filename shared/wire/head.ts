import { brokenAnswer } from './broken.ts';

export type Headers = Readonly<Record<string, string | undefined>>;

/** How long the body is. */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'untilClose' };

/** The status line and the headers of an answer, and what follows from them. */
export interface Head {
  readonly status: number;
  /** Names in lower case; a name that stands several times has its values joined by commas. */
  readonly headers: Headers;
  readonly keepAlive: KeepAlive;
}

/** Whether the connection stays open for another request, and how long if the other side says. */
export interface KeepAlive {
  readonly isKept: boolean;
  readonly forMs?: number;
}

const STATUS_LINE = /^HTTP\/1\.([01]) (\d{3})(?: .*)?$/;
const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;

export function readHead(text: string): Head {
  const [first = '', ...lines] = text.trimEnd().split(/\r?\n/);
  const status = STATUS_LINE.exec(first);
  if (!status) throw brokenAnswer('it does not begin with a status line');
  const headers = readHeaders(lines);
  return { status: Number(status[2]), headers, keepAlive: keepAliveOf(headers, status[1] === '1') };
}

function keepAliveOf(headers: Headers, isByDefault: boolean): KeepAlive {
  const connection = headers['connection']?.toLowerCase() ?? '';
  const isKept = isByDefault ? !connection.includes('close') : connection.includes('keep-alive');
  const seconds = /timeout=(\d+)/.exec(headers['keep-alive'] ?? '')?.[1];
  return seconds === undefined ? { isKept } : { isKept, forMs: Number(seconds) * 1000 };
}

function readHeaders(lines: readonly string[]): Headers {
  const headers = Object.create(null) as Record<string, string>;
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (colon < 1 || !NAME.test(name)) throw brokenAnswer('one of its headers has no proper name');
    const value = line.slice(colon + 1).trim();
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return headers;
}

/** RFC 9112, section 6.3, from the side of a client. */
export function framingOf(method: string, { status, headers }: Head): Framing {
  if (method === 'HEAD' || status === 204 || status === 304) return { kind: 'none' };
  const coding = headers['transfer-encoding'];
  if (coding !== undefined) return /(^|[\s,])chunked$/i.test(coding) ? { kind: 'chunked' } : { kind: 'untilClose' };
  const given = headers['content-length'];
  if (given === undefined) return { kind: 'untilClose' };
  const [length = '', ...others] = given.split(/\s*,\s*/);
  if (!/^\d{1,15}$/.test(length) || others.some((other) => other !== length))
    throw brokenAnswer('its length is not a number');
  return length === '0' ? { kind: 'none' } : { kind: 'length', length: Number(length) };
}
