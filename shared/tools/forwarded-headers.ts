import { createHmac } from 'node:crypto';
import type { Settings } from '../settings/variables.ts';
import { toSeconds, type Millis } from '../time.ts';
import { forHeader, type Caller } from './headers.ts';

export type ForwardSettings = Pick<
  Settings,
  | 'ENABLE_FORWARD_USER_INFO_HEADERS'
  | 'FORWARD_SESSION_INFO_HEADER_CHAT_ID'
  | 'FORWARD_SESSION_INFO_HEADER_MESSAGE_ID'
  | 'FORWARD_USER_INFO_HEADER_JWT'
  | 'FORWARD_USER_INFO_HEADER_JWT_EXPIRES_SECONDS'
  | 'FORWARD_USER_INFO_HEADER_JWT_SECRET'
  | 'SVC_URL'
>;

/** Who asks, for external tools; nothing unless it is switched on, and never a credential. */
export function forwardedHeaders(settings: ForwardSettings, caller: Caller, now: Millis): Record<string, string> {
  if (!settings.ENABLE_FORWARD_USER_INFO_HEADERS) return {};
  const { chatId, messageId } = caller;
  const { FORWARD_SESSION_INFO_HEADER_CHAT_ID: chatName, FORWARD_SESSION_INFO_HEADER_MESSAGE_ID: messageName } =
    settings;
  return {
    ...(settings.FORWARD_USER_INFO_HEADER_JWT_SECRET ? signedUser(settings, caller, now) : plainUser(caller)),
    ...(chatId !== undefined && { [chatName.toLowerCase()]: forHeader(chatId) }),
    ...(messageId !== undefined && { [messageName.toLowerCase()]: forHeader(messageId) }),
  };
}

const plainUser = ({ actor }: Caller) => ({
  'x-svc-user-name': encodeURIComponent(actor.name),
  'x-svc-user-id': actor.userId,
  'x-svc-user-email': forHeader(actor.email),
  'x-svc-user-role': actor.role,
});

/** A signature in the place of plain headers, which anybody who reaches the tool could write. It opens nothing here. */
function signedUser(settings: ForwardSettings, { actor }: Caller, now: Millis): Record<string, string> {
  const iat = toSeconds(now);
  const claims = {
    sub: actor.userId,
    email: actor.email,
    name: actor.name,
    role: actor.role,
    iss: settings.SVC_URL,
    iat,
    exp: iat + settings.FORWARD_USER_INFO_HEADER_JWT_EXPIRES_SECONDS,
  };
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims].map(encoded).join('.');
  const signature = createHmac('sha256', settings.FORWARD_USER_INFO_HEADER_JWT_SECRET).update(signed);
  return { [settings.FORWARD_USER_INFO_HEADER_JWT.toLowerCase()]: `${signed}.${signature.digest('base64url')}` };
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
