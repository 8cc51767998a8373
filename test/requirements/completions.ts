import type { Statement } from './requirement.ts';

export const completions = {
  'completions/format': 'POST /api/chat/completions answers in the common chat-completion format',
  'completions/local-models': 'Chat completion serves models of the local runtime',
  'completions/hosted-models': 'Chat completion serves models of third-party hosted providers',
  'completions/model-required': 'A completion without a model, or with one the service does not list, is refused',
  'completions/messages-required': 'A completion without an array of role and content messages is refused',
  'completions/chat-id': 'chat_id puts the reply into that chat',
  'completions/message-id': 'id names the assistant message that receives the reply',
  'completions/session-id': 'session_id routes the events of the reply to the WebSocket of that session',
  'completions/stream-default': 'stream defaults to false and the reply is then one JSON body',
  'completions/stream-sse': 'With stream true the reply is a Server-Sent Events stream',
  'completions/title-generation': 'background_tasks.title_generation gives the chat a title',
  'completions/tags-generation': 'background_tasks.tags_generation gives the chat tags',
  'completions/follow-up-generation': 'background_tasks.follow_up_generation suggests follow-up questions',
  'completions/code-interpreter': 'features.code_interpreter lets the model run code',
  'completions/web-search': 'features.web_search gives the model web search results',
  'completions/image-generation': 'features.image_generation lets the reply contain generated images',
  'completions/memory': 'features.memory gives the model what is remembered about the user',
  'completions/variables':
    'variables fills {{USER_NAME}}, {{USER_LANGUAGE}}, {{CURRENT_DATETIME}} and {{CURRENT_TIMEZONE}} in prompts',
  'completions/temperature': 'temperature is passed to the model',
  'completions/tools-forwarded': 'Caller-provided tools are forwarded to the model',
  'completions/background': 'A reply runs on to its end after the HTTP or WebSocket connection closes',
  'completions/background-events-discarded':
    'Events emitted while nobody is connected are discarded and disturb nothing',

  'messages-api/message-path': 'POST /api/message accepts the messages format',
  'messages-api/v1-path': 'POST /api/v1/messages accepts the messages format',
  'messages-api/fields': 'model, max_tokens, messages, stream, tools and tool_choice of a messages request take effect',
  'messages-api/any-model': 'A messages request reaches the same models as chat completion and is converted both ways',
  'messages-api/non-streaming': 'A messages request without stream gets one message object',
  'messages-api/streaming': 'A messages request with stream gets the event stream of that format',
  'messages-api/tool-use': 'Tool calls of the model come back as tool_use content blocks',
  'messages-api/sdk-base-address': 'The SDK of that format works with {base_url}/api as its base address',
  'messages-api/bearer': 'The messages endpoints accept Authorization: Bearer',
  'messages-api/x-api-key': 'The messages endpoints accept x-api-key',
} as const satisfies Record<string, Statement>;
