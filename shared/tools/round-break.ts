import type { TurnEvent } from '../llm/turn-event.ts';

/** What a model says before and after it has used tools are two paragraphs, although nothing stands between them. */
export interface RoundBreak {
  /** The events, with a break before the first word of a later round. */
  before(events: readonly TurnEvent[]): readonly TurnEvent[];
  /** A round is over. */
  next(): void;
}

const BREAK: TurnEvent = { type: 'text', text: '\n\n' };

export function createRoundBreak(): RoundBreak {
  let end = '';
  let isPending = false;
  return {
    before(events) {
      const at = events.findIndex((event) => event.type === 'text' && event.text !== '');
      if (at === -1) return events;
      const first = events[at];
      const isNeeded = isPending && !end.endsWith('\n') && first?.type === 'text' && !first.text.startsWith('\n');
      isPending = false;
      for (const event of events) if (event.type === 'text' && event.text !== '') end = event.text;
      return isNeeded ? events.toSpliced(at, 0, BREAK) : events;
    },
    next() {
      isPending = end !== '';
    },
  };
}
