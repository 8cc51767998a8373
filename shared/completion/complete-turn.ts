import type { Connection } from '../http/route.ts';
import type { UserActor } from '../identity/actor.ts';
import type { Fields, Turn } from '../llm/turn.ts';
import type { Clock } from '../time.ts';
import { admit, type AdmissionParts } from './admission.ts';
import { askTurn } from './ask.ts';
import { deliver, type Manner } from './deliver.ts';
import type { GatewayFields } from './own-fields.ts';
import { openPassage } from './pipeline.ts';
import type { Plugins } from './plugins.ts';
import type { Speaker } from './speaker.ts';
import type { Target } from './target.ts';
import type { Answered } from '../http/streamed.ts';

export interface TurnParts extends AdmissionParts {
  readonly speaker: Speaker;
  readonly plugins: Plugins;
  readonly now: Clock;
}

export interface TurnRequest {
  readonly actor: UserActor;
  readonly turn: Turn;
  readonly manner: Omit<Manner, 'isStreamed' | 'isChat'>;
  readonly waitUntil: Connection['waitUntil'];
  /** What the request asks of the gateway itself. */
  readonly asked?: GatewayFields & Fields;
}

/** A request in another format: the same models, filters and limits, answered in the words it was asked in. */
export async function completeTurn(parts: TurnParts, request: TurnRequest): Promise<Answered> {
  const { actor, turn, waitUntil } = request;
  const nowhere = async () => undefined;
  const { target, reservation } = await admit(parts, { actor, model: turn.model, findPlace: nowhere, waitUntil });
  return answerTurn(parts, request, target).catch((error: unknown) => {
    // Nothing was answered, so nothing was used.
    waitUntil(reservation.release());
    throw error;
  });
}

export async function answerTurn(
  parts: TurnParts,
  { actor, turn, manner, asked = {} }: TurnRequest,
  target: Target,
): Promise<Answered> {
  const passage = await openPassage(parts.plugins, parts.speaker(target), { actor, target, asked });
  const { params, variables } = asked;
  const around = { target, author: actor, now: parts.now(), params: params ?? {}, variables: variables ?? {} };
  const ask = await passage.inlet(askTurn(turn, around));
  const abort = new AbortController();
  const speech = await passage.speak(ask, abort.signal);
  return deliver(speech, { ...manner, isStreamed: ask.isStreamed, isChat: false }, abort);
}
