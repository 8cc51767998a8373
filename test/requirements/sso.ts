import type { Statement } from './requirement.ts';

export const sso = {
  'auth/resolve-login-mode-sso': 'GET /api/auth/resolve-login-mode reports SSO for an address of an SSO tenant',
  'sso/start': 'GET /sso/idp sends the browser to the identity provider',
  'sso/callback': 'GET /sso/callback completes the login that /sso/idp started',
  'sso/config': 'GET /sso/config reports whether SSO is available',
  'sso/blank-native-only': 'With the IDP variables blank only native login works',
  'sso/issuer': 'A provider token whose iss differs from IDP_ISSUER_URI in any character is refused',
  'sso/client-credentials': 'IDP_CLIENT_ID and IDP_CLIENT_SECRET authenticate the service as a confidential client',
  'sso/callback-url': 'IDP_SSO_CALLBACK_URL is sent exactly as the redirect URI',
  'sso/allowed-clients': 'A token is accepted only when its azp is in the comma-separated IDP_ALLOWED_CLIENT_IDS',
  'sso/cookie-secure':
    'IDP_SSO_COOKIE_SECURE true marks the SSO cookie Secure, and false drops the mark for local HTTP',
  'sso/provisioning': 'Users of a tenant with authProvider SSO are provisioned in the identity provider',
  'sso/admin-client': 'Provisioning uses IDP_ADMIN_CLIENT_ID and its secret and works with the manage-users role alone',
  'sso/sync': 'A background job pulls directory changes for SSO tenants',
  'sso/sync-interval': 'IDP_SYNC_INTERVAL_MS sets the interval of the sync job',

  'oauth/client': 'OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET identify the gateway at its OAuth provider',
  'oauth/discovery': 'OPENID_PROVIDER_URL is the discovery URL, and OIDC login is unavailable without it',
  'oauth/signup': 'ENABLE_OAUTH_SIGNUP true lets a first OAuth login create the account, and otherwise it is refused',
  'oauth/svc-url': 'SVC_URL is the external address from which redirect addresses are built exactly',
  'oauth/provider-name': 'OAUTH_PROVIDER_NAME sets the name shown for the generic provider',
  'oauth/scopes': 'OAUTH_SCOPES sets the scopes asked for',
  'oauth/redirect-uri': 'OPENID_REDIRECT_URI replaces the built redirect address',
  'oauth/authorize-params': 'OAUTH_AUTHORIZE_PARAMS adds its JSON object of parameters to the authorize request',
  'oauth/secret-key': 'SVC_SECRET_KEY is the secret that protects the session of an OAuth login',
  'oauth/session-token-encryption': 'Stored provider tokens are encrypted with OAUTH_SESSION_TOKEN_ENCRYPTION_KEY',
  'oauth/oidc-callback': '/oauth/oidc/callback completes the generic OIDC flow',
  'oauth/provider-callback': '/oauth/<provider>/callback completes the flow of that provider',
  'oauth/login-redirect': '/oauth/{provider}/login answers 302 to the provider',
  'oauth/two-provider-families':
    'Two large providers have their own client id, secret, tenant or scope and redirect variables',
  'oauth/names-not-used':
    'OIDC_CONFIG, OPENID_CLIENT_ID, OPENID_CLIENT_SECRET and the enable-SSO and auth-type names configure nothing',

  'cookies/session-same-site': 'SVC_SESSION_COOKIE_SAME_SITE sets SameSite of the session cookie',
  'cookies/auth-same-site': 'SVC_AUTH_COOKIE_SAME_SITE sets SameSite of the auth cookie',
  'cookies/session-secure': 'SVC_SESSION_COOKIE_SECURE sets Secure on the session cookie',
  'cookies/auth-secure': 'SVC_AUTH_COOKIE_SECURE sets Secure on the auth cookie',
  'cookies/oauth-session-id':
    'An OAuth login sets the cookie oauth_session_id, and oauth_id_token is only the legacy form',
} as const satisfies Record<string, Statement>;
