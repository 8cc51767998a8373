import { addresses, flag, number, oneOf, positions, secretKey, text } from '../variable.ts';

export const chat = {
  UPSTREAM_BASE_URL: addresses([], 'Addresses of local model runtimes, separated by `;`.'),
  COMPAT_API_BASE_URLS: addresses([], 'Addresses of compatible APIs, separated by `;`.'),
  COMPAT_API_KEYS: positions([], 'Their keys, in the same order; an empty place is a connection without one.', {
    secret: true,
  }),
  ENABLE_UPSTREAM_API: flag(true, 'Local runtimes are used.'),
  ENABLE_COMPAT_API: flag(true, 'Compatible APIs are used.'),
  ENABLE_DEMO_MODEL: flag(true, 'A built-in model `demo` answers without any network.'),
  BYPASS_MODEL_ACCESS_CONTROL: flag(false, 'Every user may use every model.'),
  MODELS_CACHE_TTL: number({ min: 0, max: 3600 })(10, 'Seconds for which an upstream model list is reused.'),
  TASK_MODEL: text('', 'Model for titles, tags and follow-ups of local models; empty uses the chat model.'),
  TASK_MODEL_EXTERNAL: text('', 'The same for external models.'),
  ENABLE_TITLE_GENERATION: flag(true, 'Titles may be generated.'),
  ENABLE_TAGS_GENERATION: flag(true, 'Tags may be generated.'),
  ENABLE_FOLLOW_UP_GENERATION: flag(true, 'Follow-up questions may be generated.'),
  HTTP_CLIENT_TIMEOUT: number({ min: 1, max: 86_400 })(600, 'Seconds that a model may take for one reply.'),
  HTTP_CLIENT_TIMEOUT_OPENAI_MODEL_LIST: number({ min: 1, max: 600 })(
    10,
    'Seconds that listing the models of one connection may take.',
  ),
  HTTP_CLIENT_SESSION_SSL: flag(true, 'Check certificates on outbound speech-engine calls.'),
  ENABLE_FORWARD_USER_INFO_HEADERS: flag(false, 'Send who asks, in headers, to external tools.'),
  FORWARD_SESSION_INFO_HEADER_CHAT_ID: text('X-svc-Chat-Id', 'Header that carries the chat id.'),
  FORWARD_SESSION_INFO_HEADER_MESSAGE_ID: text('X-svc-Message-Id', 'Header that carries the message id.'),
  FORWARD_USER_INFO_HEADER_JWT_SECRET: secretKey(
    32,
    'Signs who asks, so that an external tool can check it; empty sends plain headers.',
  ),
  FORWARD_USER_INFO_HEADER_JWT: text('X-svc-User-Jwt', 'Header that carries the signed user.'),
  FORWARD_USER_INFO_HEADER_JWT_EXPIRES_SECONDS: number({ min: 10, max: 3600 })(
    300,
    'Seconds for which the signed user is good.',
  ),
  WEBSOCKET_EVENT_CALLER_TIMEOUT: number({ min: 1, max: 3600 })(
    300,
    'Seconds that a plugin waits for an answer of the user.',
  ),
  WEBSOCKET_SERVER_PING_INTERVAL: number({ min: 1, max: 540 })(
    240,
    'Seconds between two signs of life to an open socket; the gateway ends one that is silent for ten minutes.',
  ),
  WEBSOCKET_SERVER_PING_TIMEOUT: number({ min: 1, max: 540 })(
    120,
    'Seconds that a socket client waits beyond that before it connects anew.',
  ),
  CHAT_RESPONSE_MAX_TOOL_CALL_ITERATIONS: number({ min: 1, max: 1000 })(256, 'Rounds of tool calls within one reply.'),
  MCP_INITIALIZE_TIMEOUT: number({ min: 1, max: 120 })(10, 'Seconds that connecting to an MCP server may take.'),
  WEB_SEARCH_ENGINE: oneOf(
    '',
    'searxng',
    'brave',
    'tavily',
  )('', 'Search provider behind the web-search feature; empty switches it off.'),
  WEB_SEARCH_URL: text('', 'Address of the search provider where it has one of its own.'),
  WEB_SEARCH_API_KEY: text('', 'Its key.', { secret: true }),
  ENABLE_MEMORIES: flag(true, 'Users may let models remember facts.'),
  ENABLE_CODE_INTERPRETER: flag(true, "Models may run code in the user's browser."),
  IMAGES_COMPAT_API_BASE_URL: text('', 'Compatible endpoint that generates images; empty switches the feature off.'),
  IMAGES_COMPAT_API_KEY: text('', 'Its key.', { secret: true }),
  IMAGES_MODEL: text('', 'Its model.'),
  PLUGIN_TIMEOUT_MS: number({ min: 100, max: 600_000 })(
    30_000,
    'How long one call into an uploaded plugin may take, questions to the user not counted.',
  ),
  PLUGIN_MEMORY_MB: number({ min: 16, max: 2048 })(128, 'Memory of one uploaded plugin.'),
  PLUGIN_CPU_MS: number({ min: 50, max: 600_000 })(
    5000,
    'How long one call into an uploaded plugin may keep a processor busy.',
  ),
  PLUGIN_CONCURRENCY: number({ min: 2, max: 1000 })(
    8,
    'Uploaded plugins at work at once in one process, fewer where memory is short; waiting for answers is not work.',
  ),
  PLUGIN_WARM_MEMORY_MB: number({ min: 0, max: 16_384 })(
    128,
    'Memory of uploaded plugins that are kept ready for their next call; the longest unused are stopped beyond it.',
  ),
  SVC_EVENT_API_KEY: secretKey(16, 'Key of systems that ingest events; empty refuses all.'),
  WORKFLOW_REVIEWER_MUST_DIFFER: flag(
    true,
    'Where an organization has several reviewers, nobody approves their own workflow.',
  ),
  WORKFLOW_LEASE_SECONDS: number({ min: 1, max: 600 })(
    60,
    'How long a run may be silent before another runner takes it over.',
  ),
};
