import type { CallerProtocol, UpstreamProtocol } from '../protocol.ts';
import { encodeChatRequest } from './encode-request.ts';
import { decodeChatReply, encodeChatReply } from './reply.ts';
import { endChat, startChat, stepChat, type ChatState } from './step.ts';
import { openChat, writeChat, type ChatWriting } from './write.ts';

export const chatUpstream: UpstreamProtocol<ChatState> = {
  framing: 'sse',
  encodeRequest: encodeChatRequest,
  start: startChat,
  step: stepChat,
  end: endChat,
  decodeReply: decodeChatReply,
};

export const chatCaller: CallerProtocol<ChatWriting> = {
  contentType: 'text/event-stream; charset=utf-8',
  open: openChat,
  write: writeChat,
  encodeReply: encodeChatReply,
};
