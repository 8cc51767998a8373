import type { Scope } from '../completion/plugins.ts';
import { pick } from '../llm/json-value.ts';
import type { Fields } from '../llm/turn.ts';

const METADATA = [
  'features',
  'files',
  'tool_ids',
  'filter_ids',
  'variables',
  'params',
  'folder_id',
  'background_tasks',
];

/** What the context of a plugin says about the request it is part of. */
export const factsOf = ({ target, chatId, messageId, sessionId, asked }: Scope): Fields => ({
  model: { id: target.id },
  ...(chatId !== undefined && { chat_id: chatId }),
  ...(messageId !== undefined && { message_id: messageId }),
  ...(sessionId !== undefined && { session_id: sessionId }),
  metadata: pick(asked, METADATA),
});
