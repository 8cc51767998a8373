import { AppError, invalidField } from '../../shared/errors.ts';
import { parseExact } from '../../shared/exact-json.ts';
import type { HttpRequest } from '../../shared/http/request.ts';

/** What a webhook request says, whatever form its sender prefers. */
export interface Inbound {
  /** A JSON value. */
  readonly body: unknown;
  /** Without those that carry secrets or belong to the way here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

export function readInbound(request: HttpRequest, bytes: Uint8Array): Inbound {
  const headers: Record<string, string> = {};
  request.headers.forEach((value, name) => {
    if (!PRIVATE.test(name)) headers[name] = value;
  });
  return {
    body: readBody(request.headers.get('content-type') ?? 'application/json', textOf(bytes)),
    headers,
    query: Object.fromEntries(new URL(request.url).searchParams),
  };
}

const PRIVATE =
  /authorization|cookie|signature|secret|token|api-key|^(x-forwarded|cloudfront|x-amz)|^(via|host|forwarded)$/;

function textOf(bytes: Uint8Array) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidField(['body'], 'is not text in UTF-8');
  }
}

function readBody(type: string, text: string): unknown {
  if (text === '') return null;
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return readForm(text);
  if (/^(application|text)\/([\w.+-]+\+)?json\b/i.test(type)) return readJson(text);
  if (/^text\//i.test(type)) return text;
  throw new AppError('unsupported_media_type', 'Send JSON, a form or text');
}

/** Some senders wrap their JSON into one form field. */
function readForm(text: string): unknown {
  const fields = Object.fromEntries(new URLSearchParams(text));
  const only = Object.keys(fields).length === 1 ? fields['payload'] : undefined;
  return only === undefined ? fields : readJson(only);
}

function readJson(text: string): unknown {
  try {
    return parseExact(text);
  } catch (cause) {
    throw invalidField(['body'], `is not JSON: ${cause instanceof Error ? cause.message : 'broken'}`, 'json_invalid');
  }
}

const ID_IN_BODY: Readonly<Record<string, string>> = { stripe: 'id', slack: 'event_id' };

/** How the sender names this delivery, if it does: the same name again is the same delivery. */
export function deliveryIdOf(style: string, { body, headers }: Inbound): string | undefined {
  const inHeader = headers['webhook-id'] ?? headers['x-github-delivery'] ?? headers['idempotency-key'];
  if (inHeader) return inHeader;
  const field = ID_IN_BODY[style];
  const inBody = field && typeof body === 'object' && body !== null ? Reflect.get(body, field) : undefined;
  return typeof inBody === 'string' ? inBody : undefined;
}
