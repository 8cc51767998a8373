import { AppError } from '../errors.ts';
import type { Settings } from '../settings/variables.ts';

/** What an identity provider needs before anyone can be sent to it. */
const VARIABLES = ['IDP_ISSUER_URI', 'IDP_CLIENT_ID', 'IDP_CLIENT_SECRET', 'IDP_SSO_CALLBACK_URL'] as const;

export type IdpSettings = Pick<Settings, (typeof VARIABLES)[number]>;

export const hasIdentityProvider = (settings: IdpSettings) => missing(settings).length === 0;

export function demandIdentityProvider(settings: IdpSettings) {
  const names = missing(settings);
  if (names.length === 0) return;
  throw new AppError('sso_not_configured', 'This installation has no identity provider', { facts: { missing: names } });
}

const missing = (settings: IdpSettings) => VARIABLES.filter((name) => settings[name] === '');
