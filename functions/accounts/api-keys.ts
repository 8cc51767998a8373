import { AppError, conflict, invalidField, notFound } from '../../shared/errors.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { newApiKey } from '../../shared/identity/api-key.ts';
import { isWithin, toRouteEntry } from '../../shared/identity/key-routes.ts';
import { newId } from '../../shared/ids.ts';
import { apiKeyCreated } from '../../shared/mail/letters.ts';
import { orElse } from '../../shared/store/dynamodb.ts';
import type { KeyChange, KeyInput, KeyView } from './contract/keys.ts';
import type { Origin, Parts } from './parts.ts';
import { MOST_KEYS, storedForm, type KeyRecord } from './store/keys.ts';

export type KeyWithSecret = KeyView & { readonly key: string };

/** Keys act with their owner's rights of the moment, within their routes, until they end. */
export interface ApiKeys {
  list(actor: UserActor): Promise<KeyView[]>;
  create(actor: UserActor, input: KeyInput & { isCompatible?: boolean }, origin: Origin): Promise<KeyWithSecret>;
  update(actor: UserActor, change: KeyChange & { id: string }, origin: Origin): Promise<KeyView>;
  rotate(actor: UserActor, keyId: string, origin: Origin): Promise<KeyWithSecret>;
  revoke(actor: UserActor, keyId: string, origin: Origin): Promise<void>;
  compatible(actor: UserActor): Promise<KeyView | undefined>;
}

export const createApiKeys = (parts: Parts): ApiKeys => ({
  list: async (actor) => (await parts.keys.list(actor.userId)).map(viewKey),
  create: (actor, input, origin) => create(parts, actor, { input, origin }),
  async update(actor, { id, name, allowedRoutes }, origin) {
    demandEnabled(parts);
    const key = await ownKey(parts, actor, id);
    const routes = allowedRoutes === undefined ? key.allowedRoutes : storedRoutes(allowedRoutes);
    demandWithin(actor, { ...key, allowedRoutes: routes });
    const changed = { name: name ?? key.name, allowedRoutes: routes };
    await parts.keys
      .update(key, changed, actOn(actor, key, { action: 'api_key.updated', origin }))
      .catch(orElse(missing));
    return viewKey({ ...key, ...changed });
  },
  async rotate(actor, keyId, origin) {
    demandEnabled(parts);
    const key = await ownKey(parts, actor, keyId);
    const secret = newApiKey();
    const fresh = { ...key, ...storedForm(secret), createdAt: parts.now(), lastUsedAt: undefined };
    await parts.keys
      .replace(key, fresh, actOn(actor, key, { action: 'api_key.rotated', origin }))
      .catch(orElse(() => conflict('The key was changed at the same time; look at it again')));
    return { ...viewKey(fresh), key: secret };
  },
  async revoke(actor, keyId, origin) {
    const key = await parts.keys.find(actor.userId, keyId);
    if (!key) throw missing();
    await parts.keys.remove(key, actOn(actor, key, { action: 'api_key.revoked', origin })).catch(orElse(missing));
  },
  async compatible(actor) {
    const key = (await parts.keys.list(actor.userId)).find((one) => one.isCompatible);
    return key && viewKey(key);
  },
});

const missing = () => notFound('API key');

function demandEnabled({ settings }: Parts) {
  if (!settings.ENABLE_API_KEYS) throw new AppError('api_keys_disabled', 'API keys are switched off here');
}

interface Creation {
  readonly input: KeyInput & { readonly isCompatible?: boolean };
  readonly origin: Origin;
}

async function create(parts: Parts, actor: UserActor, { input, origin }: Creation): Promise<KeyWithSecret> {
  demandEnabled(parts);
  const now = parts.now();
  const secret = newApiKey();
  const key: KeyRecord = {
    ...storedForm(secret),
    keyId: newId(),
    userId: actor.userId,
    name: input.name,
    allowedRoutes: storedRoutes(input.allowedRoutes),
    expiresAt: input.expiresInDays === undefined ? null : now + input.expiresInDays * 86_400_000,
    createdAt: now,
    isCompatible: input.isCompatible ?? false,
  };
  demandWithin(actor, key);
  const full = () => new AppError('api_key_limit', `An account can have at most ${MOST_KEYS} API keys`);
  await parts.keys.insert(key, actOn(actor, key, { action: 'api_key.created', origin })).catch(orElse(full));
  await parts.outbox.send(actor.email, apiKeyCreated({ name: actor.name, keyName: key.name }));
  return { ...viewKey(key), key: secret };
}

/** Someone else's key is missing; one beyond the caller's own limits may be seen but not used to get around them. */
async function ownKey(parts: Parts, actor: UserActor, keyId: string): Promise<KeyRecord> {
  const key = await parts.keys.find(actor.userId, keyId);
  if (!key) throw missing();
  demandWithin(actor, key);
  return key;
}

/** A key makes no key that may do more, or lives longer, than it does itself. */
function demandWithin(actor: UserActor, key: Pick<KeyRecord, 'allowedRoutes' | 'expiresAt'>) {
  if (actor.via !== 'key') return;
  const end = actor.credentialExpiresAt;
  const outlives = end !== null && (key.expiresAt === null || key.expiresAt > end);
  if (outlives || !isWithin(key.allowedRoutes, actor.allowedRoutes)) {
    throw new AppError('api_key_escalation', 'A key cannot manage one that may do more than itself');
  }
}

function storedRoutes(entries: readonly string[] | null): string[] | null {
  return (
    entries &&
    entries.map((entry, at) => {
      const stored = toRouteEntry(entry);
      if (stored === undefined) {
        throw invalidField(['body', 'allowedRoutes', at], 'must look like "/api/v1/chats" or "GET /api/models"');
      }
      return stored;
    })
  );
}

function actOn(actor: UserActor, key: KeyRecord, { action, origin }: { action: string; origin: Origin }) {
  const { ip, requestId } = origin;
  const who = { kind: 'user', id: actor.userId } as const;
  const details = { name: key.name, routes: key.allowedRoutes?.join(', ') ?? null };
  return { action, actor: who, target: { kind: 'api_key', id: key.keyId }, orgId: actor.orgId, ip, requestId, details };
}

const iso = (at: number | null | undefined) => (typeof at === 'number' ? new Date(at).toISOString() : null);

const viewKey = (key: KeyRecord): KeyView => ({
  id: key.keyId,
  name: key.name,
  start: key.start,
  last4: key.last4,
  allowedRoutes: key.allowedRoutes,
  expiresAt: iso(key.expiresAt),
  lastUsedAt: iso(key.lastUsedAt),
  createdAt: new Date(key.createdAt).toISOString(),
});
