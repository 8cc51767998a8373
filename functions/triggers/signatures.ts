import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookStyle } from '../../shared/triggers/trigger.ts';
import type { RequestHeaders } from '../../shared/http/request.ts';

/** Styles that sign the body; the others only show a secret. */
export type SigningStyle = Exclude<WebhookStyle, 'token' | 'bearer'>;

export interface SignedRequest {
  readonly headers: RequestHeaders;
  readonly body: Uint8Array;
  readonly now: number;
}

export type Verdict =
  /** The signature tells two requests apart even where the sender gives them no id. */
  { readonly isGenuine: true; readonly signature: string } | { readonly isGenuine: false; readonly reason: string };

const TOLERANCE_S = 300;

/** Whether a request was signed with this secret. Pure, and in constant time where it compares. */
export const verifySignature = (style: SigningStyle, request: SignedRequest, secret: string): Verdict =>
  VERIFIERS[style](request, secret);

const VERIFIERS: Record<SigningStyle, (request: SignedRequest, secret: string) => Verdict> = {
  /** `webhook-signature: v1,<base64> v1,<base64>` over `id.timestamp.body`. */
  standard({ headers, body, now }, secret) {
    const [id, timestamp] = [headers.get('webhook-id'), headers.get('webhook-timestamp')];
    if (!id || !timestamp) return refused('webhook-id and webhook-timestamp are required');
    const given = (headers.get('webhook-signature') ?? '').split(' ').flatMap((one) => valueAfter(one, 'v1,'));
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return timely(timestamp, now) ?? compare(given, hmac(key, [`${id}.${timestamp}.`, body], 'base64'));
  },
  /** `x-hub-signature-256: sha256=<hex>` over the body. */
  github({ headers, body }, secret) {
    const given = valueAfter(headers.get('x-hub-signature-256') ?? '', 'sha256=');
    return compare(given, hmac(secret, [body], 'hex'));
  },
  /** `stripe-signature: t=<seconds>,v1=<hex>,…` over `t.body`. */
  stripe({ headers, body, now }, secret) {
    const parts = (headers.get('stripe-signature') ?? '').split(',').map((part) => part.trim());
    const [timestamp] = parts.flatMap((part) => valueAfter(part, 't='));
    if (timestamp === undefined) return refused('stripe-signature has no time');
    const given = parts.flatMap((part) => valueAfter(part, 'v1='));
    return timely(timestamp, now) ?? compare(given, hmac(secret, [`${timestamp}.`, body], 'hex'));
  },
  /** `x-slack-signature: v0=<hex>` over `v0:timestamp:body`. */
  slack({ headers, body, now }, secret) {
    const timestamp = headers.get('x-slack-request-timestamp');
    if (!timestamp) return refused('x-slack-request-timestamp is required');
    const given = valueAfter(headers.get('x-slack-signature') ?? '', 'v0=');
    return timely(timestamp, now) ?? compare(given, hmac(secret, [`v0:${timestamp}:`, body], 'hex'));
  },
};

const refused = (reason: string): Verdict => ({ isGenuine: false, reason });

const valueAfter = (text: string, prefix: string) => (text.startsWith(prefix) ? [text.slice(prefix.length)] : []);

function timely(timestamp: string, now: number): Verdict | undefined {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  const isTimely = Math.abs(now / 1000 - seconds) <= TOLERANCE_S;
  return isTimely ? undefined : refused('The timestamp is more than five minutes off');
}

function hmac(key: string | Buffer, parts: readonly (string | Uint8Array)[], encoding: 'hex' | 'base64') {
  const digest = createHmac('sha256', key);
  for (const part of parts) digest.update(part);
  return digest.digest(encoding);
}

function compare(given: readonly string[], expected: string): Verdict {
  if (given.length === 0) return refused('The request has no signature of this style');
  const isGenuine = given.map((one) => isEqual(one, expected)).includes(true);
  return isGenuine ? { isGenuine, signature: expected } : refused('The signature does not match');
}

export function isEqual(a: string, b: string) {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
