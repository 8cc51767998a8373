import { createChatStore } from '../chat/store.ts';
import { log } from '../log.ts';
import { parseEvent, UiEvent, type RoutedEvent } from './event.ts';
import { demandReasonableSize } from './payload-size.ts';
import { persistEvent, type EventStore } from './persist.ts';
import { createRoom, type Room } from './room.ts';

/** The message that events belong to, and the session that asked for the reply. */
export interface EventTarget {
  readonly userId: string;
  readonly chatId: string;
  readonly messageId: string;
  readonly sessionId?: string;
}

export interface EmitterParts {
  readonly room?: Room;
  readonly chats?: EventStore;
}

export interface Emitter {
  /**
   * `__event_emitter__`: takes the event and returns at once. Throws only for an event that is malformed or too large; what
   * happens to it later, be it that nobody listens, is nothing to the plugin.
   */
  readonly emit: (event: unknown) => Promise<void>;
  /** The same without storing anything; the data is made when its turn comes. */
  readonly push: (make: () => UiEvent | undefined) => Promise<void>;
  /** Resolves when everything emitted so far is stored and sent: before a function may end. */
  readonly settled: () => Promise<void>;
}

/** A tab list may be this old; a streaming reply would otherwise ask for it with every piece. */
const REMEMBER_TABS_MS = 1000;

export const replyRoom = (userId: string) => createRoom(userId, { rememberMs: REMEMBER_TABS_MS });

/** One after the other in the order of emission: first stored, then sent. */
export function createEmitter(target: EventTarget, parts: EmitterParts = {}): Emitter {
  const { room = replyRoom(target.userId), chats = createChatStore() } = parts;
  const ref = { owner: target.userId, chatId: target.chatId, messageId: target.messageId };
  let line: Promise<unknown> = Promise.resolve();
  const attempt = (work: Promise<unknown>) =>
    work.catch((error: unknown) => log.warn('event lost', { id: target.messageId, error }));
  const enqueue = (work: () => Promise<unknown>) => (line = line.then(() => attempt(work())));
  return {
    async emit(given) {
      const event = parseEvent(UiEvent, snapshot(given));
      void enqueue(async () => {
        await attempt(persistEvent(chats, ref, event));
        await room.push(route(target, event));
      });
    },
    async push(make) {
      await enqueue(async () => {
        const event = make();
        if (event) await room.push(route(target, event));
      });
    },
    settled: async () => void (await line),
  };
}

/** The event as it is now, whatever the plugin does with its objects later. */
function snapshot(given: unknown): unknown {
  const json = JSON.stringify(given) ?? 'null';
  demandReasonableSize(Buffer.byteLength(json));
  return JSON.parse(json) as unknown;
}

export const route = ({ chatId, messageId }: EventTarget, data: RoutedEvent['data']): RoutedEvent => ({
  chat_id: chatId,
  message_id: messageId,
  data,
});
