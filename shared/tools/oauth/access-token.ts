import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import { openClient } from '../server-client.ts';
import { createAsk } from './ask.ts';
import { authorizationNeeded, type OauthParts } from './authorization.ts';
import type { KeptTokens, OauthSession } from './store.ts';
import { Refused, requestTokens } from './token-endpoint.ts';
import { tokensFrom, type Tokens } from './tokens.ts';

const WAIT_MS = 100;
const MOST_WAITS = 250;

/**
 * A token that may be used now; renewed when it has run out, or when it is the one that was just rejected. Whoever comes
 * while somebody else renews it, in this process or another, waits for that.
 */
export async function accessToken(parts: OauthParts, session: OauthSession, rejected?: string): Promise<Tokens> {
  for (let waits = 0; waits < MOST_WAITS; waits += 1) {
    const kept = await parts.store.readTokens(session);
    if (!kept) throw authorizationNeeded(session.server, parts.baseUrl, waits > 0);
    if (isUsable(kept.tokens, parts.now(), rejected)) return kept.tokens;
    if (kept.tokens.refresh_token === undefined) return giveUp(parts, session, kept);
    const isOurs = await parts.store.claimRenewal(session, kept.version);
    const renewed = isOurs ? await renew(parts, session, kept) : undefined;
    if (renewed) return renewed;
    await sleep(WAIT_MS);
  }
  throw new AppError('upstream_timeout', `${session.server.name} did not renew its authorization in time`);
}

export const isUsable = ({ access_token, use_until }: Tokens, now: number, rejected?: string) =>
  access_token !== rejected && (use_until === null || use_until > now);

/** Undefined when the person has connected anew or disconnected meanwhile: what they did counts. */
async function renew(parts: OauthParts, session: OauthSession, kept: KeptTokens): Promise<Tokens | undefined> {
  const { server } = session;
  const { tokens, version } = kept;
  try {
    const source = { ...tokens, client: await currentClient(parts, session, tokens) };
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' };
    const answer = await requestTokens(createAsk(parts.outbound, server), server, { source, form });
    const next = tokensFrom(answer, tokens, parts.now());
    return (await parts.store.writeTokens(session, next, version)) ? next : undefined;
  } catch (error) {
    if (error instanceof Refused) return giveUp(parts, session, kept);
    await parts.store.endRenewal(session, version);
    throw error;
  }
}

/** Operators change secrets; the client stays the same. */
async function currentClient({ seal }: OauthParts, { server }: OauthSession, { client }: Tokens) {
  if (!server.oauth?.client) return client;
  const given = await openClient(seal, server);
  return given.id === client.id ? given : client;
}

async function giveUp(
  { store, baseUrl }: OauthParts,
  { server, userId }: OauthSession,
  { version }: KeptTokens,
): Promise<never> {
  await store.removeTokens(userId, server.id, version);
  throw authorizationNeeded(server, baseUrl, true);
}
