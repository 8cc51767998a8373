import { newId } from '../ids.ts';
import { openTable, type Key, type Row } from '../store/table.ts';
import { toSeconds, type Clock, type Seconds } from '../time.ts';
import { deniedKey } from './rows.ts';
import type { Tokens } from './token.ts';

/** Who gets a token, as the account stands at this moment. */
export interface Holder {
  readonly acct: 'user' | 'admin';
  readonly id: string;
  readonly orgId: string | null;
  readonly role: string;
  readonly tokenVersion: number;
}

/** From where, and how they have proved it: `pwd`, `otp`, `totp`, `recovery`, `invite`, `sso`, `ldap`. */
export interface Arrival {
  readonly ip: string;
  readonly userAgent: string;
  readonly amr: readonly string[];
}

export interface OpenedSession {
  readonly token: string;
  readonly jti: string;
  readonly expiresAt: Seconds;
  readonly lifetime: Seconds;
  /** To be written with whatever else the login writes: `USER#<id>|ADMIN#<id> / SESS#<jti>`. */
  readonly row: Row & Key;
}

export interface Sessions {
  open(holder: Holder, arrival: Arrival): Promise<OpenedSession>;
  /** Ends one token before its time, on every function at once. */
  end(jti: string, expiresAt: number | null): Promise<void>;
}

interface Parts {
  readonly tokens: Tokens;
  readonly now: Clock;
  readonly lifetimeMs: number;
}

export const createSessions = ({ tokens, now, lifetimeMs }: Parts): Sessions => ({
  async open(holder, arrival) {
    const at = now();
    const iat = toSeconds(at);
    const lifetime = Math.max(1, Math.floor(lifetimeMs / 1000)) as Seconds;
    const expiresAt = (iat + lifetime) as Seconds;
    const jti = newId();
    const { acct, id: sub, orgId: org, role, tokenVersion: tv } = holder;
    const token = await tokens.sign({ sub, acct, org, role, tv, jti, iat, exp: expiresAt, amr: [...arrival.amr] });
    const pk = `${acct === 'admin' ? 'ADMIN' : 'USER'}#${sub}`;
    const userAgent = arrival.userAgent.slice(0, 300);
    const row = {
      pk,
      sk: `SESS#${jti}`,
      jti,
      createdAt: at,
      expiresAt: expiresAt * 1000,
      ttl: expiresAt,
      tokenVersion: tv,
    };
    return { token, jti, expiresAt, lifetime, row: { ...row, ip: arrival.ip, amr: [...arrival.amr], userAgent } };
  },
  end: (jti, expiresAt) => accounts.put(deniedRow(jti, expiresAt ?? now() + lifetimeMs)),
});

const accounts = openTable('accounts');

/** Outlives the token by a minute; the five seconds of clock tolerance are well inside. */
export const deniedRow = (jti: string, expiresAt: number): Row & Key => ({
  ...deniedKey(jti),
  ttl: Math.ceil(expiresAt / 1000) + 60,
});
