import { createCaller } from '../realtime/caller.ts';
import { createEmitter, type EventTarget } from '../realtime/emitter.ts';

/** How a plugin speaks with the user while it runs. */
export interface Voice {
  emit(event: unknown): Promise<void>;
  ask(event: unknown, signal?: AbortSignal): Promise<unknown>;
  /** Everything it said is stored and sent. */
  settled(): Promise<void>;
}

export function createVoice(target: EventTarget, timeoutSeconds: number): Voice {
  const { emit, settled } = createEmitter(target);
  const call = createCaller(target, { timeoutSeconds });
  return {
    emit,
    settled,
    async ask(event, signal) {
      // What was said before the question is seen before it.
      await settled();
      return call(event, signal);
    },
  };
}

export interface Place {
  readonly chatId?: string;
  readonly messageId?: string;
  readonly sessionId?: string;
}

/** Undefined when there is no message that events could belong to; then they are said to nobody. */
export function voiceAt(userId: string, place: Place, timeoutSeconds: number): Voice | undefined {
  const { chatId, messageId, sessionId } = place;
  if (chatId === undefined || messageId === undefined) return undefined;
  return createVoice({ userId, chatId, messageId, sessionId }, timeoutSeconds);
}
