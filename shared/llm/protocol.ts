import type { Reply } from './reply.ts';
import type { Fields, Turn } from './turn.ts';
import type { TurnEvent } from './turn-event.ts';

/** What one model API family looks like to us when we call it. Pure: no URL, no key, no fetch, no clock. */
export interface UpstreamProtocol<State> {
  readonly framing: 'sse' | 'ndjson';
  readonly encodeRequest: (turn: Turn) => Fields;
  /** `seed` makes the ids of tool calls that come without one; any string no other reply uses. */
  readonly start: (seed: string) => State;
  /** `chunk` is one parsed JSON value of the stream, or the string `[DONE]`. */
  readonly step: (state: State, chunk: unknown) => readonly [State, readonly TurnEvent[]];
  /** What is left to say when the bytes stop: the finish that was waiting, or an error when the stream was cut off. */
  readonly end: (state: State) => readonly TurnEvent[];
  readonly decodeReply: (body: unknown, seed: string) => Reply;
}

/** What one model API family looks like to those who call us in it. */
export interface CallerProtocol<State> {
  readonly contentType: string;
  readonly open: (head: ReplyHead) => State;
  /** The frames, ready to send, that tell the caller of one event; '' when there is nothing to tell yet. */
  readonly write: (state: State, event: TurnEvent) => readonly [State, string];
  readonly encodeReply: (head: ReplyHead, reply: Reply) => Fields;
}

/** What a reply says about itself besides the answer. */
export interface ReplyHead {
  /** Without prefix; each format adds its own. */
  readonly id: string;
  /** The model under the name the caller used. */
  readonly model: string;
  /** Unix seconds. */
  readonly created: number;
  /** Chat-completions streams carry usage only when it was asked for. */
  readonly wantsUsage?: boolean;
  /** Tokens of the prompt when they are known before the answer starts; the messages format opens with them. */
  readonly inputTokens?: number;
  /** Request fields the responses format repeats in its reply. */
  readonly echo?: Fields;
}
