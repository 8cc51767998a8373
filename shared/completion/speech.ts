import type { OutboundResponse } from '../net/response.ts';
import type { Turn } from '../llm/turn.ts';
import type { TurnEvent } from '../llm/turn-event.ts';

/** A request on its way to a model. */
export interface Ask {
  /** Decoded when somebody needs it: a relayed request is never taken apart. */
  turn(): Turn;
  /** The request as chat-completions text, while nothing in it has to be changed. */
  readonly chatText?: string;
  readonly isStreamed: boolean;
}

export type Say = (events: readonly TurnEvent[]) => Promise<void> | void;

/** An answer that has begun. */
export interface Speech {
  /** Says everything to the end. It does not fail: what goes wrong from here on is said as an `error`. */
  listen(say: Say): Promise<void>;
  /** The answer as a chat-completions server sends it, while nothing in it has to be changed: streamed … */
  readonly response?: OutboundResponse;
  /** … or whole. */
  readonly json?: Uint8Array;
}

/** Puts the question to a model. Fails when the model refuses, before it has said anything. */
export type Speak = (ask: Ask, signal: AbortSignal) => Promise<Speech>;
