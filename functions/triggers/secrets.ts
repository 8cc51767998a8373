import { randomBytes } from 'node:crypto';
import type { Pepper } from '../../shared/identity/pepper.ts';
import type { Seal } from '../../shared/seal/seal.ts';
import type { WebhookStyle, WebhookTrigger } from '../../shared/triggers/trigger.ts';
import { isEqual, verifySignature, type SignedRequest, type Verdict } from './signatures.ts';
import type { RequestHeaders } from '../../shared/http/request.ts';

/** The old secret stays valid this long, so that the sender can be changed at leisure. */
export const OVERLAP_MS = 24 * 3_600_000;

type Owner = Pick<WebhookTrigger, 'tenant' | 'id' | 'style'>;

/** What is needed to check a signature is sealed; what is only compared is kept as a hash. */
export interface Secrets {
  keep(owner: Owner, secret: string): Promise<string>;
  /** Whether a request carries or was signed with the trigger's secret, or with the one before. */
  check(trigger: WebhookTrigger, request: SignedRequest): Promise<Verdict>;
}

export const newWebhookSecret = (style: WebhookStyle) =>
  style === 'standard' ? `whsec_${randomBytes(32).toString('base64')}` : randomBytes(32).toString('base64url');

export const hintOf = (secret: string) => `…${secret.slice(-4)}`;

const contextOf = ({ tenant, id }: Owner) => ({ tenant, field: `trigger.${id}.secret` });

const OPENED_MS = 5 * 60_000;
const MOST_OPENED = 500;

export function createSecrets({ seal, pepper }: { seal: Seal; pepper: Pepper }): Secrets {
  const opened = new Map<string, { readonly secret: string; readonly until: number }>();
  /** A busy webhook does not ask the key service for every request. */
  const open = async (owner: Owner, stored: string, now: number) => {
    const known = opened.get(stored);
    if (known && known.until > now) return known.secret;
    const secret = await seal.open(stored, contextOf(owner));
    if (opened.size >= MOST_OPENED) opened.clear();
    opened.set(stored, { secret, until: now + OPENED_MS });
    return secret;
  };
  const checkOne = async (trigger: WebhookTrigger, request: SignedRequest, stored: string): Promise<Verdict> => {
    const { style } = trigger;
    if (style !== 'token' && style !== 'bearer')
      return verifySignature(style, request, await open(trigger, stored, request.now));
    const shown = shownSecret(trigger, request.headers);
    if (shown === undefined) return { isGenuine: false, reason: 'The request carries no secret' };
    const isGenuine = isEqual(pepper(shown), stored);
    return isGenuine ? { isGenuine, signature: '' } : { isGenuine, reason: 'The secret does not match' };
  };
  return {
    keep: async (owner, secret) =>
      owner.style === 'token' || owner.style === 'bearer' ? pepper(secret) : seal.close(secret, contextOf(owner)),
    async check(trigger, request) {
      const verdict = await checkOne(trigger, request, trigger.secret);
      const { previous_secret, previous_until } = trigger;
      if (verdict.isGenuine || previous_secret === null || (previous_until ?? 0) <= request.now) return verdict;
      const earlier = await checkOne(trigger, request, previous_secret);
      return earlier.isGenuine ? earlier : verdict;
    },
  };
}

function shownSecret({ style, token_header }: WebhookTrigger, headers: RequestHeaders): string | undefined {
  if (style === 'token') return headers.get(token_header) ?? undefined;
  return /^Bearer\s+(\S+)\s*$/i.exec(headers.get('authorization') ?? '')?.[1];
}
