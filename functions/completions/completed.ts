import type { Targets } from '../../shared/completion/targets.ts';
import { refuseExtensions } from '../../shared/completion/own-fields.ts';
import { applyOutlets, openPassage } from '../../shared/completion/pipeline.ts';
import type { Plugins } from '../../shared/completion/plugins.ts';
import type { Speaker } from '../../shared/completion/speaker.ts';
import type { UserActor } from '../../shared/identity/actor.ts';

export interface CompletedParts {
  readonly targets: Targets;
  readonly plugins: Plugins;
  readonly speaker: Speaker;
}

interface CompletedBody {
  readonly [field: string]: unknown;
  readonly model: string;
  readonly messages: Record<string, unknown>[];
  readonly chat_id?: string | null;
  readonly id?: string | null;
  readonly session_id?: string | null;
}

/** Runs the outlets over a finished conversation, whatever the build, and answers with what they left of it. */
export async function runCompleted(
  parts: CompletedParts,
  actor: UserActor,
  body: CompletedBody,
): Promise<CompletedBody> {
  refuseExtensions(body, parts.plugins.offers);
  const target = await parts.targets.find(actor, body.model);
  const scope = {
    actor,
    target,
    asked: body,
    ...(body.chat_id && { chatId: body.chat_id }),
    ...(body.id && { messageId: body.id }),
    ...(body.session_id && { sessionId: body.session_id }),
  };
  const { outlets } = await openPassage(parts.plugins, parts.speaker(target), scope);
  return { ...body, ...(await applyOutlets(body, outlets, scope)) };
}
