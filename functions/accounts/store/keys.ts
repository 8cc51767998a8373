import * as z from 'zod';
import { ownApiKeyKey } from '../../../shared/accounts/rows.ts';
import type { Act, Audit } from '../../../shared/audit/audit.ts';
import { hashApiKey } from '../../../shared/identity/api-key.ts';
import { apiKeyKey, ApiKeyRow, userKey } from '../../../shared/identity/rows.ts';
import { batchGet } from '../../../shared/store/batch.ts';
import { absent, present, when } from '../../../shared/store/expression.ts';
import { openTable } from '../../../shared/store/table.ts';
import { deleting, putting, transact, updating } from '../../../shared/store/transaction.ts';

const KeyRecord = ApiKeyRow.extend({
  hash: z.string(),
  name: z.string(),
  start: z.string(),
  last4: z.string(),
  createdAt: z.number(),
  /** The one key that the compatible interface manages. */
  isCompatible: z.boolean().default(false),
});
export type KeyRecord = z.output<typeof KeyRecord>;

export const MOST_KEYS = 20;

/** API keys: `AK#<hash> / META` is the key, `USER#<id> / AK#<key id>` its place in the owner's list. */
export interface KeyStore {
  list(userId: string): Promise<KeyRecord[]>;
  find(userId: string, keyId: string): Promise<KeyRecord | undefined>;
  /** Fails as `user` when the owner has no room for one more. */
  insert(key: KeyRecord, act: Act): Promise<void>;
  update(key: KeyRecord, set: Partial<Pick<KeyRecord, 'name' | 'allowedRoutes'>>, act: Act): Promise<void>;
  /** The old secret stops working in the same moment. */
  replace(old: KeyRecord, fresh: KeyRecord, act: Act): Promise<void>;
  remove(key: KeyRecord, act: Act): Promise<void>;
}

const accounts = openTable('accounts');

export const createKeyStore = (audit: Audit): KeyStore => ({
  async list(userId) {
    const { rows } = await accounts.query({ pk: `USER#${userId}`, prefix: 'AK#' });
    const wanted = rows.map((row) => ({ table: accounts, key: apiKeyKey(String(row['hash'])) }));
    const found = (await batchGet(wanted)).flatMap((row) => (row ? [KeyRecord.parse(row)] : []));
    return found.toSorted((a, b) => b.createdAt - a.createdAt);
  },
  async find(userId, keyId) {
    const own = await accounts.get(ownApiKeyKey(userId, keyId));
    const row = own && (await accounts.get(apiKeyKey(String(own['hash']))));
    return row && KeyRecord.parse(row);
  },
  insert: (key, act) => transact([...inserting(key), audit.recording(act)]),
  update: (key, set, act) =>
    transact([updating('key', accounts, apiKeyKey(key.hash), { set, if: present }), audit.recording(act)]),
  replace: (old, fresh, act) => transact([...replacing(old, fresh), audit.recording(act)]),
  remove: (key, act) => transact([...removing(key), audit.recording(act)]),
});

const ROOM = when('#status = :active AND (attribute_not_exists(#keyCount) OR #keyCount < :most)', {
  active: 'ACTIVE',
  most: MOST_KEYS,
});

const inserting = (key: KeyRecord) => [
  updating('user', accounts, userKey(key.userId), { add: { keyCount: 1 }, if: ROOM }),
  putting('key', accounts, { ...apiKeyKey(key.hash), ...key }, absent),
  putting('own', accounts, ownRow(key), absent),
];

const replacing = (old: KeyRecord, fresh: KeyRecord) => [
  deleting('key', accounts, apiKeyKey(old.hash), present),
  putting('fresh', accounts, { ...apiKeyKey(fresh.hash), ...fresh }, absent),
  putting('own', accounts, ownRow(fresh), when('#hash = :hash', { hash: old.hash })),
];

const removing = (key: KeyRecord) => [
  deleting('key', accounts, apiKeyKey(key.hash), present),
  deleting('own', accounts, ownApiKeyKey(key.userId, key.keyId), present),
  updating('user', accounts, userKey(key.userId), {
    add: { keyCount: -1 },
    if: when('#keyCount > :none', { none: 0 }),
  }),
];

const ownRow = ({ userId, keyId, hash }: KeyRecord) => ({ ...ownApiKeyKey(userId, keyId), keyId, hash });

/** What is stored of a secret: its hash, and enough of its ends to recognise it. */
export const storedForm = (secret: string) => ({
  hash: hashApiKey(secret),
  start: secret.slice(0, 8),
  last4: secret.slice(-4),
});
