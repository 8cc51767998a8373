import type { ChatStore } from '../../shared/chat/store.ts';
import { invalidField, notFound } from '../../shared/errors.ts';
import type { OperatorActor, UserActor } from '../../shared/identity/actor.ts';
import { log } from '../../shared/log.ts';
import {
  CALL_EVENT_TYPES,
  parseEvent,
  TOOL_EVENT_TYPES,
  ToolEvent,
  type RoutedEvent,
} from '../../shared/realtime/event.ts';
import { persistEvent, type EventStore } from '../../shared/realtime/persist.ts';
import type { MessageAddress } from './service.ts';

/** What events of external tools ask of the outside. */
export interface ToolEventParts {
  readonly chats: EventStore & Pick<ChatStore, 'header' | 'ownerOf'>;
  /** Undefined for nobody, null for somebody without an organization. */
  readonly orgOf: (userId: string) => Promise<string | null | undefined>;
  readonly push: (userId: string, event: RoutedEvent) => Promise<unknown>;
}

type Caller = UserActor | OperatorActor;

export const createToolEvents = (parts: ToolEventParts) => ({
  /** Stored by the rules of its type, then shown to the chat's owner, whoever posts it. */
  async post(actor: Caller, { chatId, messageId }: MessageAddress, given: { readonly type: string }) {
    const event = demandToolEvent(given);
    const owner = await findOwner(actor, chatId, parts);
    if (owner === undefined) throw notFound('Chat');
    if (!(await persistEvent(parts.chats, { owner, chatId, messageId }, event))) throw notFound('Message');
    return parts.push(owner, { chat_id: chatId, message_id: messageId, data: event }).then(
      () => true,
      (error: unknown) => {
        log.warn('event not delivered', { id: chatId, error });
        return false;
      },
    );
  },
});

function demandToolEvent(given: { readonly type: string }) {
  const { type } = given;
  if (CALL_EVENT_TYPES.includes(type))
    throw invalidField(
      ['body', 'type'],
      `${type} needs the browser's part in it, which only plugins inside the service can have`,
    );
  if (!TOOL_EVENT_TYPES.includes(type))
    throw invalidField(['body', 'type'], `External tools may send ${TOOL_EVENT_TYPES.join(', ')}`);
  return parseEvent(ToolEvent, given, ['body']);
}

/** The caller's own chat; for operators anybody's, for administrators of an organization those of its members. */
async function findOwner(actor: Caller, chatId: string, { chats, orgOf }: ToolEventParts): Promise<string | undefined> {
  if (actor.kind === 'user' && (await chats.header({ owner: actor.userId, chatId }))) return actor.userId;
  const isAdministrator = actor.kind === 'platform' || (actor.role === 'ROLE_ORG_ADMIN' && actor.orgId !== null);
  const owner = isAdministrator ? await chats.ownerOf(chatId) : undefined;
  if (owner === undefined || !(await chats.header({ owner, chatId }))) return undefined;
  return actor.kind === 'platform' || (await orgOf(owner)) === actor.orgId ? owner : undefined;
}
