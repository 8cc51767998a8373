import type { CallerProtocol, UpstreamProtocol } from '../protocol.ts';
import { encodeMessagesRequest } from './encode-request.ts';
import { decodeMessagesReply, encodeMessagesReply } from './reply.ts';
import { endMessages, startMessages, stepMessages, type MessagesState } from './step.ts';
import { openMessages, writeMessages, type MessagesWriting } from './write.ts';

export const messagesUpstream: UpstreamProtocol<MessagesState> = {
  framing: 'sse',
  encodeRequest: encodeMessagesRequest,
  start: startMessages,
  step: stepMessages,
  end: endMessages,
  decodeReply: decodeMessagesReply,
};

export const messagesCaller: CallerProtocol<MessagesWriting> = {
  contentType: 'text/event-stream; charset=utf-8',
  open: openMessages,
  write: writeMessages,
  encodeReply: encodeMessagesReply,
};
