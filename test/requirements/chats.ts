import type { Statement } from './requirement.ts';

export const chats = {
  'chats/create': 'POST /api/v1/chats/new stores the wrapped chat object and returns it with an id',
  'chats/create-response': 'The create response holds id, user_id, title, chat, updated_at and created_at',
  'chats/title-required': 'Creating a chat without a string title is refused',
  'chats/models-required': 'Creating a chat without an array of model id strings is refused',
  'chats/models-exist':
    'The models of a chat are ids the instance lists, and a completion in it with an unknown one is refused',
  'chats/messages-required': 'Creating a chat without the flat messages array is refused',
  'chats/history-required': 'Creating a chat without a history of currentId and a map of messages is refused',
  'chats/history-authoritative': 'history.messages is the authoritative tree when the flat list disagrees with it',
  'chats/files-default': 'files of a chat defaults to an empty array and otherwise comes back as sent',
  'chats/tags-default': 'tags of a chat defaults to an empty array and otherwise comes back as sent',
  'chats/params-default': 'params of a chat defaults to an empty object and otherwise comes back as sent',
  'chats/timestamp-milliseconds': 'The optional top-level timestamp of a chat is an integer in milliseconds',
  'chats/current-id-top-level': 'A returned chat also shows currentId at its top level',
  'chats/get': 'GET /api/v1/chats/{chatId} returns the full chat',
  'chats/get-assistant-content': 'Assistant content is read at chat.history.messages[<assistant id>].content',
  'chats/owner-only': 'A chat of somebody else is indistinguishable from a missing one',
  'chats/merge': 'POST /api/v1/chats/{chatId} merges the sent history into the stored chat',
  'chats/merge-changed-fields': 'A merge needs only the changed fields and leaves unsent fields of a message alone',
  'chats/merge-keeps-history': 'History messages that a merge does not include are kept',
  'chats/multi-turn':
    'A turn added through childrenIds, parentId and currentId completes and links to the earlier ones',
  'chats/recommended-sequence':
    'Create with placeholder, complete with stream, consume or poll, then read the final chat',

  'chat-messages/user-fields': 'A user message needs id, role user, content, timestamp, models and childrenIds',
  'chat-messages/first-without-parent': 'parentId is optional and the first message of a chat has none',
  'chat-messages/assistant-fields':
    'An assistant message needs id, role assistant, content, parentId, childrenIds, model, modelName, modelIdx and timestamp',
  'chat-messages/assistant-empty-pending':
    'The content of an assistant message may be empty while the reply is pending',
  'chat-messages/done-default': 'done of an assistant message defaults to false',
  'chat-messages/done-on-finish': 'Finishing a completion fills the content and turns done from false to true',
  'chat-messages/caller-ids': 'Message ids are the UUID v4 values of the caller and the service never assigns one',
  'chat-messages/children-ids': 'Every returned message carries childrenIds',
  'chat-messages/linkage':
    'Parent and child links agree, so a message is reachable from its parent through childrenIds',
  'chat-messages/user-lists-replies': 'A user message lists the ids of its assistant replies in childrenIds',
  'chat-messages/pending-no-children': 'A pending assistant message has an empty childrenIds',
  'chat-messages/placeholder-first':
    'A reply appears in the chat when its placeholder is in messages and history before the completion starts',
  'chat-messages/current-id': 'history.currentId names the last message of the active thread',
  'chat-messages/current-id-spelling': 'current_id in snake_case is not taken for currentId',
  'chat-messages/timestamp-seconds': 'Message timestamps inside history.messages are Unix seconds',

  'models/list': 'GET /api/models returns an object whose data array lists the models to a signed-in caller',
  'models/list-item': 'Each listed model has at least id and owned_by',
  'models/list-authenticated': 'GET /api/models refuses a caller without a token',
  'models/get': 'GET /api/v1/models/model?id= returns the information of one model',
  'models/shape': 'One model has id, name, model, base_model_id, meta, params, created_at and updated_at',
  'models/meta': 'meta of a model has description, capabilities, context_length and max_output_tokens',
  'models/params': 'params of a model has temperature, top_p, frequency_penalty and presence_penalty as numbers',

  'runtime/passthrough': 'Paths under /upstream/ reach the native API of the local model runtime unchanged',
  'runtime/content-type': 'POST under /upstream/ needs Content-Type: application/json',
  'runtime/authorization': 'On a secured instance /upstream/ needs Authorization',
  'runtime/generate': 'POST /upstream/api/generate streams a completion for model and prompt',
  'runtime/tags': 'GET /upstream/api/tags lists the models of the runtime',
  'runtime/embed': 'POST /upstream/api/embed returns embeddings for model and an array of input strings',
  'runtime/responses': 'POST /upstream/v1/responses answers model and input in the responses format',
  'runtime/responses-model-resolution': 'The responses route resolves models as chat completion does',
  'runtime/responses-access': 'The responses route applies the access control of chat completion',
  'runtime/responses-prefix': 'The responses route handles connection prefixes as chat completion does',
} as const satisfies Record<string, Statement>;
