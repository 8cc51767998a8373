import type { MessageRef } from '../../shared/chat/keys.ts';
import type { ChatStore } from '../../shared/chat/store.ts';
import { applyOutlets, type Passage } from '../../shared/completion/pipeline.ts';
import type { Scope } from '../../shared/completion/plugins.ts';
import { isObject, listAt } from '../../shared/llm/json-value.ts';
import type { Reply } from '../../shared/llm/reply.ts';
import type { Fields } from '../../shared/llm/turn.ts';
import { log } from '../../shared/log.ts';
import type { ReplyChannel } from '../../shared/realtime/reply-channel.ts';
import type { Request } from './service.ts';

export interface Inline {
  readonly passage: Passage;
  readonly scope: Scope;
  readonly request: Request;
  readonly reply: Reply;
  readonly channel: ReplyChannel;
  readonly ref: MessageRef;
  readonly chats: Pick<ChatStore, 'setMessageFields'>;
}

/** Outlets that run by themselves change the stored message and tell the tabs; what the caller was answered stays. */
export async function runOutlets({ passage, scope, request, reply, channel, ref, chats }: Inline): Promise<void> {
  if (passage.outlets.length === 0) return;
  const { model, messages, chat_id, id, session_id } = request.body;
  const said = { id: ref.messageId, role: 'assistant', content: reply.text };
  const payload = { model, messages: [...messages, said], chat_id, id, session_id };
  const filtered = await applyOutlets(payload, passage.outlets, scope).catch((error: unknown) => {
    // The reply is complete and answered; a filter that fails now must not take it back.
    log.warn('outlet failed', { id: ref.messageId, error });
    return undefined;
  });
  if (!filtered) return;
  const content = contentOf(filtered, ref.messageId);
  if (content !== undefined && content !== reply.text)
    await chats.setMessageFields(ref, { content, originalContent: reply.text });
  await channel.event({ type: 'chat:outlet', data: { messages: filtered.messages } });
}

function contentOf(payload: Fields, messageId: string): string | undefined {
  const last = listAt(payload, 'messages').findLast((one) => isObject(one) && one.id === messageId);
  return typeof last?.content === 'string' ? last.content : undefined;
}
