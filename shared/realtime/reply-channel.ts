import { createEmitter, type EmitterParts, type EventTarget } from './emitter.ts';

/** How a running reply speaks to the tabs of its user. */
export interface ReplyChannel {
  /** More text of the reply. It is shown but not stored: the reply task saves the message itself. */
  delta(text: string): void;
  /** Any other event, stored by the rules of its type and sent after the text before it. Throws when it is malformed. */
  event(event: unknown): Promise<void>;
  /** Sends what is waiting and resolves when everything is out. */
  flush(): Promise<void>;
}

/** A post per token would cost more than the tokens; nobody reads faster than this. */
const BETWEEN_DELTAS_MS = 75;

/** The first piece goes out at once, later ones are gathered. While a post is under way, text waits for it and goes as one. */
export function createReplyChannel(target: EventTarget, parts: EmitterParts = {}): ReplyChannel {
  const { emit, push, settled } = createEmitter(target, parts);
  // Text between two events; an event starts a new stretch, so that nothing said after it is shown before it.
  let stretch = { text: '' };
  let timer: NodeJS.Timeout | undefined;
  const send = () => {
    const own = stretch;
    void push(() => take(own));
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      if (stretch.text !== '') send();
    }, BETWEEN_DELTAS_MS);
  };
  return {
    delta(text) {
      stretch.text += text;
      if (timer === undefined && text !== '') send();
    },
    async event(event) {
      if (stretch.text !== '') send();
      stretch = { text: '' };
      await emit(event);
    },
    async flush() {
      if (stretch.text !== '') send();
      clearTimeout(timer);
      timer = undefined;
      await settled();
    },
  };
}

function take(stretch: { text: string }) {
  const content = stretch.text;
  stretch.text = '';
  return content === '' ? undefined : ({ type: 'chat:message:delta', data: { content } } as const);
}
