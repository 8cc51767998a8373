import type { Statement } from './requirement.ts';

export const foundation = {
  'health/up': 'GET /health answers 200 while the service is up',
  'health/open': 'GET /health needs no authentication',
  'health/covers-startup': 'GET /health is 200 only once the web server and its initialization are complete',
  'health/covers-database': 'GET /health is not 200 when the database cannot be reached',

  'docs/dev-only': 'GET /docs is served when ENV is dev and is 404 under any other value',
  'docs/interactive': 'GET /docs is an interactive page over a document that lists every route of the service',

  'paths/open-auth': 'Paths under /api/auth/ answer callers without a token',
  'paths/open-public': 'Paths under /api/public/ answer callers without a token',
  'paths/protected':
    'Every other path refuses a caller without a valid token, save login redirects and paths with a credential of their own',
  'paths/v1-prefix': 'Newer routes live under /api/v1/',
  'paths/unversioned': 'Auth, models, chat completions and org routes are served under /api/ without a version segment',
  'paths/json-bodies': 'Request bodies are read as JSON unless the route says otherwise, and malformed JSON is refused',

  'errors/missing-token': 'A protected path without a token answers 401',
  'errors/invalid-token': 'A protected path with a malformed, forged or expired token answers 401',
  'errors/shape': 'Every failure has one body shape that names a stable code, a message and the request id',

  'settings/persistent-default': 'ENABLE_PERSISTENT_CONFIG defaults to true',
  'settings/persistent-on': 'With ENABLE_PERSISTENT_CONFIG true a saved setting wins over its environment value',
  'settings/persistent-off':
    'With ENABLE_PERSISTENT_CONFIG false saved settings are ignored in favour of the environment',
  'settings/oauth-persistent-default': 'ENABLE_OAUTH_PERSISTENT_CONFIG defaults to false',
  'settings/oauth-persistent-off':
    'While ENABLE_OAUTH_PERSISTENT_CONFIG is false, settings under oauth. come from the environment even when saved',
  'settings/oauth-persistent-on':
    'With both persistence switches true a saved oauth. setting wins over the environment',

  'proxy/no-cache':
    'Answers under /api, /oauth, /callback, /login, /ws and /websocket forbid caching, and the edge never caches those paths',

  'limits/jwt-secret-length': 'The service refuses to start with a JWT_SECRET shorter than 64 characters',
  'limits/http-client-timeout':
    'HTTP_CLIENT_TIMEOUT bounds an outbound model call and may be raised, for example to 600 s',
  'limits/http-client-timeout-model-list':
    'HTTP_CLIENT_TIMEOUT_OPENAI_MODEL_LIST bounds fetching a provider model list, separately from completions',
} as const satisfies Record<string, Statement>;
