import { AppError, notFound } from '../../shared/errors.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { orElse } from '../../shared/store/dynamodb.ts';
import { changedMeanwhile } from '../../shared/accounts/changing-user.ts';
import type { Origin, Parts } from './parts.ts';
import type { SessionRow } from './store/sessions.ts';

/** Where an account is signed in, and signing it out again. */
export interface OwnSessions {
  list(actor: UserActor): Promise<SessionEntry[]>;
  end(actor: UserActor, sessionId: string, origin: Origin): Promise<void>;
  /** This session, or every one. Answers the cookies that go with it. */
  signOut(actor: UserActor, scope: { all: boolean }, origin: Origin): Promise<string[]>;
}

export interface SessionEntry {
  readonly id: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly amr: string[];
  readonly current: boolean;
}

export const createOwnSessions = (parts: Parts): OwnSessions => ({
  async list(actor) {
    const { user } = await parts.users.behind(actor);
    const rows = await parts.sessionRows.list(actor.userId);
    return rows
      .filter((row) => row.expiresAt > parts.now() && row.tokenVersion === user.tokenVersion)
      .toSorted((a, b) => b.createdAt - a.createdAt)
      .map((row) => viewSession(row, actor));
  },
  async end(actor, sessionId, origin) {
    const session = await parts.sessionRows.find(actor.userId, sessionId);
    const isEnded = session && (await parts.sessionRows.end(actor.userId, session, actOf(actor, origin)));
    if (!isEnded) throw notFound('Session');
  },
  async signOut(actor, { all }, origin) {
    if (all) await endAll(parts, actor, origin);
    else await endThis(parts, actor, origin);
    return parts.cookies.ended();
  },
});

async function endAll(parts: Parts, actor: UserActor, origin: Origin) {
  const { user } = await parts.users.behind(actor);
  const act = actOf(actor, origin, 'session.ended_all');
  await parts.users.change(user, { add: { tokenVersion: 1 } }, { act }).catch(orElse(changedMeanwhile));
}

async function endThis(parts: Parts, actor: UserActor, origin: Origin) {
  if (actor.via === 'key') throw new AppError('invalid_request', 'An API key is revoked, not signed out');
  const session = { jti: actor.credentialId, expiresAt: actor.credentialExpiresAt ?? parts.now() };
  const isEnded = await parts.sessionRows.end(actor.userId, session, actOf(actor, origin));
  if (isEnded) return;
  // Tokens that other parts of the platform have issued have no row in the list, and end all the same.
  await parts.sessions.end(actor.credentialId, actor.credentialExpiresAt);
  await parts.audit.record(actOf(actor, origin));
}

function actOf(actor: UserActor, { ip, requestId }: Origin, action = 'session.ended') {
  const who = { kind: 'user', id: actor.userId } as const;
  return { action, actor: who, target: who, orgId: actor.orgId, ip, requestId };
}

const viewSession = (row: SessionRow, actor: UserActor): SessionEntry => ({
  id: row.jti,
  createdAt: new Date(row.createdAt).toISOString(),
  lastSeenAt: new Date(row.lastSeenAt ?? row.createdAt).toISOString(),
  expiresAt: new Date(row.expiresAt).toISOString(),
  ip: row.ip,
  userAgent: row.userAgent,
  amr: row.amr,
  current: row.jti === actor.credentialId,
});
