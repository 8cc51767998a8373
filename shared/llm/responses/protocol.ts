import type { CallerProtocol } from '../protocol.ts';
import { encodeResponsesReply } from './response.ts';
import { openResponses, writeResponses, type ResponsesWriting } from './write.ts';

export const responsesCaller: CallerProtocol<ResponsesWriting> = {
  contentType: 'text/event-stream; charset=utf-8',
  open: openResponses,
  write: writeResponses,
  encodeReply: encodeResponsesReply,
};
