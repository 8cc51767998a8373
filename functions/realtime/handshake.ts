import { readCookie } from '../../shared/identity/credential.ts';
import { LOGIN_COOKIE } from '../../shared/identity/names.ts';
import { SessionId } from './membership.ts';

/** What a client brings along when it connects. */
export interface Handshake {
  readonly headers?: Readonly<Record<string, string>> | null;
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | null;
}

/** Who a plain client says it is before its first message: by the address, or by the login cookie of our own page. */
export function introductionOf({ headers, queryStringParameters }: Handshake, ownAddress: string) {
  const { token, session_id } = queryStringParameters ?? {};
  return {
    token: token ?? cookieToken(new Headers(headers ?? {}), ownAddress),
    sessionId: SessionId.safeParse(session_id).data,
  };
}

const cookieToken = (headers: Headers, ownAddress: string) =>
  isFromOwnPage(headers, ownAddress) ? readCookie(headers, LOGIN_COOKIE) : undefined;

/**
 * Browsers send cookies with any page's sockets and let that page read what comes back, so the page must be ours:
 * of the installation's address, or of the very host that was asked.
 */
function isFromOwnPage(headers: Headers, ownAddress: string) {
  const origin = headers.get('origin') ?? '';
  if (!URL.canParse(origin)) return false;
  return origin === new URL(ownAddress).origin || new URL(origin).host === headers.get('host');
}
