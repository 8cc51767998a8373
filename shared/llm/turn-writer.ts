import type { CallerProtocol, ReplyHead } from './protocol.ts';
import type { TurnEvent } from './turn-event.ts';

/** Turns what a model says into the frames of one caller's stream. */
export type TurnWriter = (event: TurnEvent) => string;

export function createTurnWriter<State>(protocol: CallerProtocol<State>, head: ReplyHead): TurnWriter {
  let state = protocol.open(head);
  return (event) => {
    const [next, frames] = protocol.write(state, event);
    state = next;
    return frames;
  };
}
