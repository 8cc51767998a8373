import type { Statement } from './requirement.ts';

export const plugins = {
  'filters/inlet': 'An inlet filter can change a request before it reaches the model',
  'filters/stream': 'A stream filter can change the chunks of a streamed reply',
  'filters/outlet': 'An outlet filter can change a finished reply',
  'filters/filter-ids': 'filter_ids selects the filters that wrap a completion',
  'filters/messages-format': 'A messages-format request passes the same inlet and stream filters as chat completion',
  'outlet/release-not-inline': 'On release builds chat completion does not run outlet filters',
  'outlet/prerelease-inline':
    'On pre-release builds a non-streaming completion with chat_id and id runs outlet filters inline',
  'outlet/needs-both-ids': 'On pre-release builds outlet filters do not run inline when chat_id or id is missing',
  'outlet/needs-non-streaming':
    'On pre-release builds a streaming request does not run outlet filters inline and sends its content to the WebSocket',
  'outlet/foreign-chat': 'On pre-release builds a completion with a chat_id the caller does not own answers 404',
  'outlet/event': 'An inline outlet run emits a chat:outlet event',
  'outlet/persisted': 'An inline outlet run updates the stored message',
  'outlet/response-unchanged': 'An inline outlet run does not change the HTTP response body',
  'completed/runs-outlet': 'POST /api/chat/completed always runs outlet filters and returns the filtered payload',
  'completed/pipeline-outlet': 'POST /api/chat/completed also runs the outlet filters of pipelines',
  'completed/body': 'POST /api/chat/completed takes model and the full messages, with chat_id and session_id optional',
  'completed/deprecated': 'POST /api/chat/completed is marked deprecated on pre-release builds only',

  'tools/function-models': 'Chat completion serves function models',
  'tools/tool-ids': 'tool_ids makes server-side tools available to the model',
  'tools/mcp-ids': 'A tool id of the form server:mcp:<server-id> names an MCP tool server',
  'tools/caller-tools-win': 'When the caller provides tools, tool_ids is not resolved',
  'tools/access-checked':
    'Access of the caller to each tool server in tool_ids is checked before its tools are resolved',
  'tools/mcp-oauth-first': 'An OAuth-protected MCP server is refused until the user has completed its OAuth flow',
  'tools/identity-headers-only':
    'With ENABLE_FORWARD_USER_INFO_HEADERS an external tool gets identification headers, and without it none',
  'tools/no-credentials-forwarded': 'The key and the session of the user are never sent to an external tool',
  'tools/own-key': 'An external tool posts events with its own admin or service-account key',
  'tools/session-headers': 'Forwarded requests carry X-svc-Chat-Id and X-svc-Message-Id',
  'tools/session-header-names':
    'FORWARD_SESSION_INFO_HEADER_CHAT_ID and FORWARD_SESSION_INFO_HEADER_MESSAGE_ID rename the forwarded headers',
  'tools/mcp-header-templates':
    'MCP header templates fill {{USER_ID}}, {{USER_NAME}}, {{USER_EMAIL}}, {{USER_ROLE}}, {{CHAT_ID}} and {{MESSAGE_ID}}',
  'tools/mcp-no-secret-placeholder': 'MCP header templates have no placeholder for a key or token',

  'plugin-events/emitter': '__event_emitter__ sends an event one way and does not wait',
  'plugin-events/call': '__event_call__ waits for the reply of the user or browser and returns it',
  'plugin-events/helpers-everywhere': 'Native tools, functions and pipes all receive both event helpers',
  'plugin-events/call-timeout': 'An unanswered __event_call__ raises an exception in the plugin',
  'plugin-events/call-timeout-setting': 'WEBSOCKET_EVENT_CALLER_TIMEOUT sets how long __event_call__ waits',
  'plugin-events/shape': 'An event is {type, data} with a string type and an object data',
  'plugin-events/routing': 'The service itself adds the chat and message routing of an event',
  'limits/event-call-timeout': '__event_call__ waits 300 seconds by default',

  'plugin-events/status': 'A status event delivers description, done and hidden',
  'plugin-events/chat-completion': 'A chat:completion event delivers its custom data unchanged',
  'plugin-events/message-delta': 'chat:message:delta and message append content to the message',
  'plugin-events/message-replace': 'chat:message and replace replace the content of the message',
  'plugin-events/files': 'chat:message:files and files set the files array of the message',
  'plugin-events/embeds': 'embeds and chat:message:embeds deliver an array of embed strings',
  'plugin-events/title': 'chat:title sets the chat title from a string or {title}',
  'plugin-events/tags': 'chat:tags sets the tags array of the chat',
  'plugin-events/source': 'source and citation deliver a citation object or a code-run object',
  'plugin-events/notification': 'notification shows content as info, success, warning or error and refuses other types',
  'plugin-events/favorite': 'chat:message:favorite delivers the favorite boolean',
  'plugin-events/confirmation': 'confirmation asks with title and message and returns the answer of the user',
  'plugin-events/input': 'input asks with title, message, placeholder and optional value and returns the entered value',
  'plugin-events/input-password': 'input with type password masks what is typed',
  'plugin-events/execute-call':
    'execute by call runs JavaScript in the page as an async function and returns its value',
  'plugin-events/execute-emitter': 'execute by emitter runs JavaScript in the page and returns nothing',

  'plugin-events/done-unchanged': 'done of a status is stored and forwarded unchanged',
  'plugin-events/done-display': 'A status shows a shimmer until its done is true and static text then',
  'plugin-events/hidden-history': 'A hidden status is kept in the status history but not shown as the current status',
  'plugin-events/skeleton': 'A message with no content and no visible status shows a skeleton loader',
  'plugin-events/embed-url': 'An embed starting with http://, https:// or // is loaded as a URL',
  'plugin-events/embed-html': 'Any other embed string is rendered as raw HTML',
  'plugin-events/embed-append': 'Embeds are appended to message.embeds by default',
  'plugin-events/embed-replace': 'embeds with replace true overwrites the whole array, and an empty array clears it',
  'plugin-events/embed-alias': 'Only the name embeds is persisted, and replace has no effect on its alias',
  'plugin-events/embed-sandbox':
    'Embeds render in a sandboxed iframe that allows scripts, popups and downloads by default',
  'plugin-events/pipe-content': 'The text a pipe returns or yields is the content of the message',
  'plugin-events/pipe-content-wins':
    'The final save keeps the returned text of a pipe over content sent only by events',
  'plugin-events/pipe-side-events':
    'Status, source, files and notification events survive next to returned pipe content',

  'tool-events/post': 'POST /api/v1/chats/{chat_id}/messages/{message_id}/event delivers {type, data} to the chat',
  'tool-events/owner': 'The owner of a chat may post events to its messages',
  'tool-events/admin': 'An administrator may post events to the messages of any chat in reach',
  'tool-events/others-refused': 'Anyone else is refused when posting an event to a chat',
  'tool-events/one-way-types':
    'External tools may emit status, notification, message delta and replace, files, embeds with replace, and source types',
  'tool-events/two-way-refused': 'input, confirmation and two-way execute are refused from external tools',
} as const satisfies Record<string, Statement>;
