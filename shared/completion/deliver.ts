import { type Answered, eventStream, streamed, type Sink } from '../http/streamed.ts';
import type { CallerFormat } from '../llm/caller-format.ts';
import type { ReplyHead } from '../llm/protocol.ts';
import { collect, type Reply } from '../llm/reply.ts';
import type { TurnEvent } from '../llm/turn-event.ts';
import { refusalOf } from './refusal.ts';
import { relayStream } from './relay.ts';
import type { Speech } from './speech.ts';

/** In which words the caller wants the answer. */
export interface Manner {
  readonly format: CallerFormat;
  readonly head: ReplyHead;
  readonly isStreamed: boolean;
  /** The caller speaks chat completions, so that what a server of that format says needs no translation. */
  readonly isChat: boolean;
}

/** Answers a caller for whom nothing is kept: when they go, the model is told to stop. */
export function deliver(speech: Speech, manner: Manner, abort: AbortController): Promise<Answered> | Answered {
  if (!manner.isStreamed) return deliverWhole(speech, manner);
  return streamedAnswer(manner.format, (sink) => {
    sink.gone.addEventListener('abort', () => abort.abort(HUNG_UP), { once: true });
    const write = (chunk: Uint8Array | string) => sink.write(chunk);
    if (speech.response && manner.isChat) return relayStream(speech.response, { write, signal: abort.signal });
    const framesOf = createFramer(manner);
    return speech.listen((events) => {
      const frames = framesOf(events);
      return frames === '' ? undefined : sink.write(frames);
    });
  });
}

/** Made once, because an abort without a reason makes an exception with a stack. */
const HUNG_UP = new Error('The caller has hung up');

export const streamedAnswer = ({ contentType }: CallerFormat, produce: (sink: Sink) => Promise<void>): Answered =>
  contentType.startsWith('text/event-stream')
    ? eventStream(produce)
    : streamed(produce, { 'content-type': contentType });

export function createFramer({ format, head }: Manner): (events: readonly TurnEvent[]) => string {
  const write = format.createWriter(head);
  return (events) => events.map(write).join('');
}

async function deliverWhole(speech: Speech, manner: Manner): Promise<Response> {
  if (speech.json && manner.isChat) return jsonAnswer(speech.json);
  let reply: Reply | undefined;
  await speech.listen((events) => void (reply = collect(events, reply)));
  return wholeAnswer(reply ?? collect([]), manner);
}

export function wholeAnswer(reply: Reply, { format, head }: Manner): Response {
  if (reply.error) throw refusalOf(reply.error);
  return Response.json(format.encodeReply(head, reply));
}

export const jsonAnswer = (bytes: Uint8Array) =>
  new Response(new Uint8Array(bytes), { headers: { 'content-type': 'application/json' } });
