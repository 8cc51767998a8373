import { chatUpstream } from './chat/protocol.ts';
import { messagesUpstream } from './messages/protocol.ts';
import type { UpstreamProtocol } from './protocol.ts';
import { runtimeUpstream } from './runtime/protocol.ts';
import { createTurnReader, type TurnReader } from './turn-reader.ts';

/** A format we call models in, its state hidden. */
export interface UpstreamFormat extends Pick<UpstreamProtocol<never>, 'encodeRequest' | 'decodeReply'> {
  readonly createReader: (seed: string) => TurnReader;
}

const upstream = <State>(protocol: UpstreamProtocol<State>): UpstreamFormat => ({
  encodeRequest: protocol.encodeRequest,
  decodeReply: protocol.decodeReply,
  createReader: (seed) => createTurnReader(protocol, seed),
});

export const UPSTREAM_FORMATS = {
  chat: upstream(chatUpstream),
  messages: upstream(messagesUpstream),
  runtime: upstream(runtimeUpstream),
} as const satisfies Record<string, UpstreamFormat>;
