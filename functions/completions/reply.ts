import { createRecording, type Recording } from '../../shared/completion/recording.ts';
import { asModelError } from '../../shared/completion/refusal.ts';
import { relayStream } from '../../shared/completion/relay.ts';
import type { Speech } from '../../shared/completion/speech.ts';
import type { MessageRef } from '../../shared/chat/keys.ts';
import { newId } from '../../shared/ids.ts';
import { createRelayTap } from '../../shared/llm/chat/relay-tap.ts';
import { CUT_OFF } from '../../shared/llm/model-error.ts';
import type { Reply } from '../../shared/llm/reply.ts';
import type { TurnEvent } from '../../shared/llm/turn-event.ts';
import type { OutboundResponse } from '../../shared/net/response.ts';
import { createKeeper, type Keeper, type KeeperParts } from './keeper.ts';
import type { Teller } from './teller.ts';

/** Whoever listens to a reply while it is written. They may leave at any time without disturbing it. */
export interface Audience {
  /** Takes the bytes of a chat-completions stream as they are; without it `hear` is told what was said. */
  readonly relay?: (chunk: Uint8Array | string) => void;
  readonly hear: (events: readonly TurnEvent[]) => void;
}

/** A reply that is written into a chat. It goes on to its end whoever listens. */
export interface StoredReply extends Pick<Keeper, 'taskId' | 'signal' | 'announced' | 'settled'> {
  /** Everything the model says is kept; resolves when the message is complete. */
  tell(speech: Speech, audience?: Audience): Promise<Reply>;
  /** The model refused before it said a word. */
  fail(error: unknown): Promise<void>;
}

export function createStoredReply(parts: KeeperParts, ref: MessageRef, teller: Teller): StoredReply {
  const recording = createRecording(ref.messageId);
  const keeper = createKeeper(parts, { ref, recording, teller });
  const telling = { messageId: ref.messageId, recording, keeper, teller };
  const { taskId, signal, announced, settled } = keeper;
  return {
    taskId,
    signal,
    announced,
    settled,
    async tell(speech, audience) {
      try {
        if (speech.response && audience?.relay) await tellByBytes(speech.response, audience.relay, telling);
        else await tellByWords(speech, audience, telling);
      } catch (error) {
        await keeper.finish(asModelError(error));
        throw error;
      }
      await keeper.finish(endOf(recording.reply(), signal));
      return recording.reply();
    },
    fail: (error) => keeper.finish(signal.aborted ? undefined : asModelError(error)),
  };
}

/** A reply that neither ended nor was stopped has been cut off. */
const endOf = ({ finish, error }: Reply, { aborted }: AbortSignal) =>
  finish || error || aborted ? undefined : CUT_OFF;

interface Telling {
  readonly messageId: string;
  readonly recording: Recording;
  readonly keeper: Keeper;
  readonly teller: Teller;
}

/** The bytes go on first; what they say is read from them when it is time to write it down. */
async function tellByBytes(response: OutboundResponse, write: NonNullable<Audience['relay']>, telling: Telling) {
  const { recording, keeper, teller } = telling;
  const tap = createRelayTap(newId());
  const note = (events: readonly TurnEvent[]) => {
    recording.add(events);
    teller.said(events);
  };
  keeper.gatherBy(() => note(tap.read()));
  await relayStream(response, {
    // Nothing is given back, so nothing waits: a caller who reads slowly must not hold up the reply.
    write: (chunk) => write(chunk),
    signal: keeper.signal,
    tap: (chunk) => tap.push(chunk),
    async beforeEnd(failure) {
      // The tap only knows that the bytes stopped; when it was our doing, or the wire's, we know better.
      const knowsBetter = failure !== undefined || keeper.signal.aborted;
      note(tap.end().filter(({ type }) => !(knowsBetter && type === 'error')));
      const isCut = failure !== undefined && !recording.reply().finish;
      await keeper.finish(isCut ? asModelError(failure) : endOf(recording.reply(), keeper.signal));
    },
  });
}

/** The last words wait until the message is complete: whoever hears them may read the chat at once. */
async function tellByWords(speech: Speech, audience: Audience | undefined, telling: Telling) {
  const { messageId, recording, keeper, teller } = telling;
  await speech.listen(async (events) => {
    recording.add(events);
    teller.said(events);
    if (events.some(isWork)) teller.worked(recording, messageId);
    if (events.some(isLast)) await keeper.finish(endOf(recording.reply(), keeper.signal));
    audience?.hear(events);
  });
}

const isWork = ({ type }: TurnEvent) => type === 'tool_run';
const isLast = ({ type }: TurnEvent) => type === 'finish' || type === 'error';
