import { chatCaller } from './chat/protocol.ts';
import { messagesCaller } from './messages/protocol.ts';
import type { CallerProtocol, ReplyHead } from './protocol.ts';
import { responsesCaller } from './responses/protocol.ts';
import { runtimeChatCaller, runtimeGenerateCaller } from './runtime/protocol.ts';
import { createTurnWriter, type TurnWriter } from './turn-writer.ts';

/** A format others call us in, its state hidden. */
export interface CallerFormat extends Pick<CallerProtocol<never>, 'contentType' | 'encodeReply'> {
  readonly createWriter: (head: ReplyHead) => TurnWriter;
}

const caller = <State>(protocol: CallerProtocol<State>): CallerFormat => ({
  contentType: protocol.contentType,
  encodeReply: protocol.encodeReply,
  createWriter: (head) => createTurnWriter(protocol, head),
});

export const CALLER_FORMATS = {
  chat: caller(chatCaller),
  messages: caller(messagesCaller),
  responses: caller(responsesCaller),
  runtime: caller(runtimeChatCaller),
  generate: caller(runtimeGenerateCaller),
} as const satisfies Record<string, CallerFormat>;
