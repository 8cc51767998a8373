import { hasIdentityProvider, type IdpSettings } from '../../shared/accounts/identity-provider.ts';
import type { OrgRecord } from '../../shared/accounts/rows.ts';
import type { Settings } from '../../shared/settings/variables.ts';
import { takeByAddress } from '../../shared/throttle/by-address.ts';
import type { Rule } from '../../shared/throttle/throttle.ts';
import type { Origin, Parts } from './parts.ts';

export type LoginMode = { readonly mode: 'NATIVE' } | { readonly mode: 'SSO'; readonly startUrl: string };

const PER_MINUTE: Rule = { kind: 'login-mode', limit: 60, windowMs: 60_000 };

/** Depends on the domain and the configuration alone, never on whether there is such an account. */
export async function resolveLoginMode(parts: Parts, address: string, origin: Origin): Promise<LoginMode> {
  await takeByAddress(parts.throttle, PER_MINUTE, origin.ip);
  const claim = await parts.users.domain(domainOf(address));
  const org = claim && (await parts.users.org(claim.orgId));
  const startUrl = org && ssoStart(parts.settings, org, address);
  return startUrl ? { mode: 'SSO', startUrl } : { mode: 'NATIVE' };
}

/** Where people of this organization begin, when they sign in through an identity provider. */
export const ssoStart = (
  settings: IdpSettings & Pick<Settings, 'SVC_URL'>,
  org: Pick<OrgRecord, 'authProvider' | 'status'>,
  address: string,
): string | undefined =>
  org.authProvider === 'SSO' && org.status !== 'SUSPENDED' && hasIdentityProvider(settings)
    ? `${settings.SVC_URL}/sso/idp?domain=${encodeURIComponent(domainOf(address))}`
    : undefined;

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase();
