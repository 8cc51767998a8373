import { outputItems, type Recording } from '../../shared/completion/recording.ts';
import { listAt, stringAt } from '../../shared/llm/json-value.ts';
import type { ModelError } from '../../shared/llm/model-error.ts';
import type { Fields } from '../../shared/llm/turn.ts';
import type { TurnEvent } from '../../shared/llm/turn-event.ts';
import { log } from '../../shared/log.ts';
import type { ReplyChannel } from '../../shared/realtime/reply-channel.ts';

/** Tells the tabs of the user what happens to a reply. Nobody may be there; then nothing happens. */
export interface Teller {
  begin(): void;
  said(events: readonly TurnEvent[]): void;
  /** A tool was called or has answered: what the message looks like now. */
  worked(recording: Recording, messageId: string): void;
  end(how: Ending): Promise<void>;
}

export interface Ending {
  readonly recording: Recording;
  readonly messageId: string;
  readonly failure: ModelError | undefined;
  readonly isStopped: boolean;
}

export function createTeller(channel: ReplyChannel): Teller {
  const send = (type: string, data?: unknown) =>
    channel.event({ type, data }).catch((error: unknown) => log.warn('event refused', { reason: type, error }));
  return {
    begin: () => void send('chat:active', { active: true }),
    said(events) {
      for (const event of events) {
        if (event.type === 'text') channel.delta(event.text);
        if (event.type === 'extra') void send('chat:completion', event.fields);
      }
    },
    worked(recording, messageId) {
      const reply = recording.reply();
      const output = outputItems(reply, messageId, 'in_progress').map(inShort);
      void send('chat:completion', { content: reply.text, output });
    },
    async end({ recording, messageId, failure, isStopped }) {
      const reply = recording.reply();
      const error = failure ?? reply.error;
      if (error) await send('chat:message:error', { error: { content: error.message } });
      if (error || isStopped) await send('chat:tasks:cancel');
      const { usage } = recording.atEnd(error);
      const output = outputItems(reply, messageId, 'completed');
      await send('chat:completion', { done: true, content: reply.text, output, ...(usage !== undefined && { usage }) });
      await send('chat:active', { active: false });
      await channel.flush();
    },
  };
}

const SHORT = 2000;

/** While a reply grows, all its items are told with every step; of long results the beginning says enough. */
function inShort(item: Fields): Fields {
  if (item.type !== 'function_call_output') return item;
  const cut = (text: string) => (text.length > SHORT ? `${text.slice(0, SHORT)}…` : text);
  return {
    ...item,
    output: listAt(item, 'output').map((part) => ({ ...part, text: cut(stringAt(part, 'text') ?? '') })),
  };
}
