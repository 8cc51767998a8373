import type { ChatStore } from '../../shared/chat/store.ts';
import type { Task, TaskRows } from '../../shared/completion/task-rows.ts';
import { log } from '../../shared/log.ts';

export interface InterruptedParts {
  readonly tasks: Pick<TaskRows, 'silentFor' | 'claim'>;
  readonly chats: Pick<ChatStore, 'message' | 'saveReply'>;
}

/** A living process speaks up several times in this long. */
const SILENCE_MS = 60_000;

/** Replies whose process has died are ended: whoever waits for them learns that nothing more will come. */
export async function endInterrupted({ tasks, chats }: InterruptedParts): Promise<number> {
  const left = await tasks.silentFor(SILENCE_MS);
  const ended = await Promise.all(left.map(async (task) => (await tasks.claim(task)) && endReply(chats, task)));
  return ended.filter(Boolean).length;
}

async function endReply(chats: InterruptedParts['chats'], { owner, chatId, messageId }: Task): Promise<boolean> {
  const ref = { owner, chatId, messageId };
  const message = await chats.message(ref);
  if (!message || message.fields.get('done') === 'true') return false;
  log.warn('reply was interrupted', { id: messageId, userId: owner });
  return chats.saveReply(ref, { done: true, error: { content: 'The reply was interrupted before it was complete' } });
}
