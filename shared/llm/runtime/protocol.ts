import type { CallerProtocol, UpstreamProtocol } from '../protocol.ts';
import { encodeRuntimeRequest } from './encode-request.ts';
import { decodeRuntimeReply, endRuntime, startRuntime, stepRuntime, type RuntimeState } from './step.ts';
import { encodeRuntimeReply, openRuntime, writeRuntime, type RuntimeKind, type RuntimeWriting } from './write.ts';

export const runtimeUpstream: UpstreamProtocol<RuntimeState> = {
  framing: 'ndjson',
  encodeRequest: encodeRuntimeRequest,
  start: startRuntime,
  step: stepRuntime,
  end: endRuntime,
  decodeReply: decodeRuntimeReply,
};

const runtimeCaller = (kind: RuntimeKind): CallerProtocol<RuntimeWriting> => ({
  contentType: 'application/x-ndjson',
  open: openRuntime(kind),
  write: writeRuntime,
  encodeReply: encodeRuntimeReply(kind),
});

export const runtimeChatCaller = runtimeCaller('chat');
export const runtimeGenerateCaller = runtimeCaller('generate');
