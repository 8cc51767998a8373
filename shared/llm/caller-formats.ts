import { callerFormat, type CallerFormat } from './caller-format.ts';
import { chatCaller } from './chat/protocol.ts';
import { messagesCaller } from './messages/protocol.ts';
import { responsesCaller } from './responses/protocol.ts';
import { runtimeChatCaller, runtimeGenerateCaller } from './runtime/protocol.ts';

export const CALLER_FORMATS = {
  chat: callerFormat(chatCaller),
  messages: callerFormat(messagesCaller),
  responses: callerFormat(responsesCaller),
  runtime: callerFormat(runtimeChatCaller),
  generate: callerFormat(runtimeGenerateCaller),
} as const satisfies Record<string, CallerFormat>;
