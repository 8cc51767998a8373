import {
  demandIdentityProvider,
  hasIdentityProvider,
  type IdpSettings,
} from '../../shared/accounts/identity-provider.ts';
import { orgIndex } from '../../shared/accounts/rows.ts';
import { viewOrganization } from '../../shared/accounts/views.ts';
import type { Audit } from '../../shared/audit/audit.ts';
import { keepingNativeLogin } from '../../shared/membership/changes.ts';
import type { Change } from '../../shared/store/expression.ts';
import type { Operation } from '../../shared/store/transaction.ts';
import type { Clock } from '../../shared/time.ts';
import { actOf, type By } from './members.ts';
import { readOrg } from './service.ts';
import type { OrgStore } from './store.ts';

interface Parts {
  readonly store: OrgStore;
  readonly audit: Audit;
  readonly settings: IdpSettings;
  readonly now: Clock;
}

interface Profile {
  readonly name?: string;
  readonly country?: string | null;
  readonly locale?: string | null;
}

interface AuthInput {
  readonly authProvider?: 'NATIVE' | 'SSO';
  readonly requireOtp?: boolean;
}

/** What administrators set for their organization. */
export const createSettings = (parts: Parts) => ({
  async updateProfile(by: By, input: Profile) {
    const { name } = input;
    const { orgId } = by.actor;
    const optional = { country: input.country, locale: input.locale };
    const cleared = Object.entries(optional).flatMap(([field, value]) => (value === null ? [field] : []));
    const kept = Object.fromEntries(Object.entries(optional).filter(([, value]) => typeof value === 'string'));
    const named = name === undefined ? {} : { name, gsi1sk: orgIndex(name, orgId).gsi1sk };
    await save(parts, by, { change: { set: { ...named, ...kept }, remove: cleared }, action: 'organization.updated' });
    return viewOrganization(await readOrg(parts.store, by.actor), parts.now());
  },

  async authSettings(by: By) {
    const { authProvider, requireOtp } = await readOrg(parts.store, by.actor);
    return { authProvider, requireOtp, ssoAvailable: hasIdentityProvider(parts.settings) };
  },

  /** A broken provider must not lock the company out, so whoever switches to one keeps the password. */
  async updateAuth(by: By, input: AuthInput) {
    if (input.authProvider === 'SSO') demandIdentityProvider(parts.settings);
    const others = input.authProvider === 'SSO' ? [keepingNativeLogin(by.actor.userId)] : [];
    await save(parts, by, { change: { set: { ...input } }, action: 'organization.auth_changed', others });
    return this.authSettings(by);
  },
});

export type OrgSettings = ReturnType<typeof createSettings>;

interface Save {
  readonly change: Change;
  readonly action: string;
  readonly others?: readonly Operation[];
}

async function save({ store, audit }: Parts, by: By, { change, action, others = [] }: Save) {
  const { gsi1sk: _, ...details } = change.set ?? {};
  const target = { kind: 'organization', id: by.actor.orgId };
  const facts = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
  const record = audit.recording({ ...actOf(by), action, target, details: facts as Record<string, string | boolean> });
  await store.update(by.actor.orgId, change, [record, ...others]);
}
