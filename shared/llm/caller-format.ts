import type { CallerProtocol, ReplyHead } from './protocol.ts';
import { createTurnWriter, type TurnWriter } from './turn-writer.ts';

/** A format others call us in, its state hidden. */
export interface CallerFormat extends Pick<CallerProtocol<never>, 'contentType' | 'encodeReply'> {
  readonly createWriter: (head: ReplyHead) => TurnWriter;
}

/** For whoever needs one format only; `CALLER_FORMATS` brings them all along. */
export const callerFormat = <State>(protocol: CallerProtocol<State>): CallerFormat => ({
  contentType: protocol.contentType,
  encodeReply: protocol.encodeReply,
  createWriter: (head) => createTurnWriter(protocol, head),
});
