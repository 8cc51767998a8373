import { timingSafeEqual } from 'node:crypto';
import { AppError, forbidden, unauthenticated } from '../errors.ts';
import type { Authenticate } from '../http/api.ts';
import { pathOf, type HttpRequest } from '../http/request.ts';
import type { Settings } from '../settings/variables.ts';
import type { Clock } from '../time.ts';
import type { Access, Actor, OperatorActor, UserActor } from './actor.ts';
import { isPlausibleKey } from './api-key.ts';
import { credentialOf, isForgedByOtherSite, type Credential } from './credential.ts';
import { createIdentityReader, type IdentityReader } from './reader.ts';
import { demandRoute, keyHashOf, type KeySettings } from './key-use.ts';
import { createPresume } from './presume.ts';
import { createTokens, type Tokens } from './token.ts';
import { createTraces, type Traces } from './traces.ts';

type IdentitySettings = Pick<
  Settings,
  'JWT_SECRET' | 'JWT_SECRET_PREVIOUS' | 'SVC_URL' | 'CUSTOM_API_KEY_HEADER' | 'SVC_EVENT_API_KEY' | 'ENABLE_API_KEYS'
> &
  KeySettings;

interface Parts {
  readonly settings: IdentitySettings;
  readonly tokens: Tokens;
  readonly reader: IdentityReader;
  readonly traces: Traces;
  readonly now: Clock;
}

/** The one place that turns a request into whoever sends it. */
export function createAuthenticate(settings: IdentitySettings, now: Clock): Authenticate {
  const parts: Parts = {
    settings,
    now,
    tokens: createTokens(settings),
    reader: createIdentityReader(),
    traces: createTraces(),
  };
  const authenticate: Authenticate = async (request, access, connection) => {
    if (access === 'recipient') return recipientOf(request);
    if (access === 'eventKey') return serviceOf(request, settings.SVC_EVENT_API_KEY);
    const credential = credentialOf(request.headers, settings.CUSTOM_API_KEY_HEADER);
    if (!credential && access === 'optional') return undefined;
    if (!credential) throw unauthenticated();
    const actor = await identify(request, credential, parts).catch(unlessForgotten(credential, access));
    if (!actor) return undefined;
    if (actor.kind === 'user') connection?.waitUntil(parts.traces.leave(actor, now()));
    return admit(actor, access);
  };
  return Object.assign(authenticate, { presume: createPresume(authenticate, parts) });
}

/** Browsers send a cookie long after it is good for anything; where nobody need be known, that is nobody. */
const unlessForgotten = (credential: Credential, access: Access) => (error: unknown) => {
  const isAmbient = access === 'optional' && credential.kind === 'token' && credential.via === 'cookie';
  if (isAmbient && error instanceof AppError && error.status === 401) return undefined;
  throw error;
};

async function identify(
  request: HttpRequest,
  credential: Credential,
  parts: Parts,
): Promise<UserActor | OperatorActor> {
  if (credential.kind === 'key') return identifyKey(request, credential.value, parts);
  if (credential.via === 'cookie' && isForgedByOtherSite(request, parts.settings.SVC_URL)) {
    throw new AppError('csrf_rejected', 'This request does not come from our own pages');
  }
  const claims = await parts.tokens.verify(credential.value);
  return claims.acct === 'admin' ? parts.reader.operator(claims) : parts.reader.user(claims, credential.via);
}

async function identifyKey(request: HttpRequest, key: string, { settings, reader, now }: Parts) {
  if (!isPlausibleKey(key)) throw unauthenticated('The API key is not valid');
  const actor = await reader.keyHolder(keyHashOf(request, key), now());
  if (!settings.ENABLE_API_KEYS)
    throw new AppError('api_keys_disabled', 'API keys are switched off on this installation');
  demandRoute(actor, request, settings);
  return actor;
}

function admit(actor: UserActor | OperatorActor, access: Access): Actor {
  const isAdmitted =
    access === 'optional' ||
    access === 'signedIn' ||
    ((access === 'platform' ? actor.kind === 'platform' : actor.kind === 'user') &&
      (access !== 'orgAdmin' || (actor.role === 'ROLE_ORG_ADMIN' && actor.kind === 'user' && actor.orgId !== null)));
  if (!isAdmitted) throw forbidden();
  return actor;
}

/** The token is the whole credential of someone invited to sign; the family looks it up. */
function recipientOf(request: HttpRequest): Actor {
  const token = /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/|$)/i.exec(pathOf(request))?.[1];
  if (!token) throw unauthenticated('The link is not complete');
  return { kind: 'recipient', token };
}

function serviceOf(request: HttpRequest, expected: string): Actor {
  const given = Buffer.from(request.headers.get('x-api-key') ?? '');
  const wanted = Buffer.from(expected);
  if (!expected || given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw unauthenticated('The event key is not valid');
  return { kind: 'service' };
}
