import type { UpstreamProtocol } from './protocol.ts';
import { createTurnReader, type TurnReader } from './turn-reader.ts';

/** A format we call models in, its state hidden. */
export interface UpstreamFormat extends Pick<UpstreamProtocol<never>, 'encodeRequest' | 'decodeReply'> {
  readonly createReader: (seed: string) => TurnReader;
}

/** For whoever needs one format only; `UPSTREAM_FORMATS` brings them all along. */
export const upstreamFormat = <State>(protocol: UpstreamProtocol<State>): UpstreamFormat => ({
  encodeRequest: protocol.encodeRequest,
  decodeReply: protocol.decodeReply,
  createReader: (seed) => createTurnReader(protocol, seed),
});
