import { admit } from '../../shared/completion/admission.ts';
import { hasSettings, systemOf } from '../../shared/completion/params.ts';
import { openPassage } from '../../shared/completion/pipeline.ts';
import type { Address, Target } from '../../shared/completion/target.ts';
import type { Targets } from '../../shared/completion/targets.ts';
import type { Way } from '../../shared/completion/upstream.ts';
import type { Connection } from '../../shared/http/route.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import type { Fields } from '../../shared/llm/turn.ts';
import { forward } from './forward.ts';
import type { Runtimes } from './runtimes.ts';
import type { Question, TranslationParts } from './translation.ts';
import type { Answered } from '../../shared/http/streamed.ts';

export interface PassthroughParts extends TranslationParts {
  readonly way: Way;
  readonly runtimes: Runtimes;
}

export interface Passing {
  readonly actor: UserActor;
  /** The runtime's place, when the caller names one. */
  readonly index?: string;
  readonly path: string;
  readonly question: Question;
  readonly waitUntil: Connection['waitUntil'];
}

/**
 * Passes a question through to the runtime that has the model. Where that is not possible, because the model lives
 * elsewhere, has settings of its own or is watched by a filter, it is asked the way every other model is.
 */
export async function passThrough(parts: PassthroughParts, passing: Passing): Promise<Answered> {
  const { actor, question, index, waitUntil } = passing;
  const targets = targetsOf(parts, index);
  const { target, reservation } = await admit(
    { ...parts, targets },
    { actor, model: question.body.model, findPlace: async () => undefined, waitUntil },
  );
  return answer(parts, passing, target).catch((error: unknown) => {
    // Nothing was answered, so nothing was used.
    waitUntil(reservation.release());
    throw error;
  });
}

async function answer(parts: PassthroughParts, passing: Passing, target: Target): Promise<Answered> {
  const { actor, path, question } = passing;
  const passage = await openPassage(parts.plugins, parts.speaker(target), { actor, target, asked: {} });
  if (passage.isClear && isBareRuntime(target))
    return forward(parts.way, { address: target.via, path, body: bodyFor(question.body, target.via) });
  return (await import('./translation.ts')).answerTranslated(parts, passing, question, target);
}

const targetsOf = ({ targets, runtimes }: PassthroughParts, index: string | undefined): Targets =>
  index === undefined ? targets : { ...targets, ...runtimes.targetsAt(index) };

/** A model of a runtime that is exactly as the runtime has it. */
const isBareRuntime = (target: Target): target is Target & { readonly via: Address } =>
  target.via.kind === 'server' &&
  target.via.format === 'runtime' &&
  !hasSettings(target.params) &&
  systemOf(target.params) === '';

/** Some servers take `Model` or `name` for `model`, so no other spelling may pass. */
export const bodyFor = (body: Fields, { model }: Pick<Address, 'model'>): string => {
  const rest = Object.entries(body).filter(([name]) => !/^(model|name)$/i.test(name));
  return JSON.stringify({ model, ...Object.fromEntries(rest) });
};
