import { chatUpstream } from './chat/protocol.ts';
import { messagesUpstream } from './messages/protocol.ts';
import { runtimeUpstream } from './runtime/protocol.ts';
import { upstreamFormat, type UpstreamFormat } from './upstream-format.ts';

export const UPSTREAM_FORMATS = {
  chat: upstreamFormat(chatUpstream),
  messages: upstreamFormat(messagesUpstream),
  runtime: upstreamFormat(runtimeUpstream),
} as const satisfies Record<string, UpstreamFormat>;
