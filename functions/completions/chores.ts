import { askTurn } from '../../shared/completion/ask.ts';
import {
  CHORE_NAMES,
  chorePrompt,
  CHORES,
  readFollowUps,
  readTags,
  readTitle,
  type ChoreName,
} from '../../shared/completion/chore.ts';
import type { Targets } from '../../shared/completion/targets.ts';
import type { CompletionRequest } from '../../shared/completion/own-fields.ts';
import type { Speaker } from '../../shared/completion/speaker.ts';
import type { Target } from '../../shared/completion/target.ts';
import { taskModelFor, taskTurn } from '../../shared/completion/task-model.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { collect, type Reply } from '../../shared/llm/reply.ts';
import type { Message } from '../../shared/llm/turn.ts';
import { log } from '../../shared/log.ts';
import type { ReplyChannel } from '../../shared/realtime/reply-channel.ts';
import type { Settings } from '../../shared/settings/variables.ts';
import type { Clock } from '../../shared/time.ts';

export type ChoreSettings = Pick<
  Settings,
  | 'TASK_MODEL'
  | 'TASK_MODEL_EXTERNAL'
  | 'ENABLE_TITLE_GENERATION'
  | 'ENABLE_TAGS_GENERATION'
  | 'ENABLE_FOLLOW_UP_GENERATION'
>;

export interface ChoreParts {
  readonly targets: Targets;
  readonly speaker: Speaker;
  readonly settings: ChoreSettings;
  readonly now: Clock;
}

export interface Conversation {
  readonly actor: UserActor;
  /** The model of the reply; it does the chores unless another one is set for them. */
  readonly target: Target;
  readonly messages: readonly Message[];
}

/** Nobody waits for a title longer than this. */
const LONGEST_CHORE_MS = 120_000;

/** Puts one small task to a model and gives back its whole answer. */
export async function doChore(
  parts: ChoreParts,
  name: ChoreName,
  { actor, target, messages }: Conversation,
): Promise<Reply> {
  const model = await taskModelFor(parts, target);
  const ask = askTurn(taskTurn(model, chorePrompt(name, messages)), {
    target: { ...model, params: {} },
    author: actor,
    now: parts.now(),
  });
  const speech = await parts.speaker(model)(ask, AbortSignal.timeout(LONGEST_CHORE_MS));
  let reply: Reply | undefined;
  await speech.listen((events) => void (reply = collect(events, reply)));
  return reply ?? collect([]);
}

export interface Aftermath extends Conversation {
  readonly asked: CompletionRequest['background_tasks'];
  readonly channel: ReplyChannel;
  readonly keepFollowUps: (followUps: readonly string[]) => Promise<unknown>;
}

/** What a request wants done after its reply. Each on its own: one that fails disturbs neither the others nor the reply. */
export async function doChores(parts: ChoreParts, aftermath: Aftermath): Promise<void> {
  const { asked, channel } = aftermath;
  const wanted = CHORE_NAMES.filter((name) => asked?.[CHORES[name].flag] && parts.settings[CHORES[name].setting]);
  await Promise.all(
    wanted.map(async (name) => {
      try {
        const { text, error } = await doChore(parts, name, aftermath);
        if (error) log.warn('chore failed', { reason: name, code: error.type });
        else await KEEP[name](text, aftermath);
      } catch (error) {
        log.warn('chore failed', { reason: name, error });
      }
    }),
  );
  await channel.flush();
}

/** The channel stores titles and tags by itself; follow-up questions belong to the message. */
const KEEP: Readonly<Record<ChoreName, (answer: string, aftermath: Aftermath) => Promise<void>>> = {
  async title(answer, { channel }) {
    const title = readTitle(answer);
    if (title !== undefined) await channel.event({ type: 'chat:title', data: title });
  },
  async tags(answer, { channel }) {
    const tags = readTags(answer);
    if (tags?.length) await channel.event({ type: 'chat:tags', data: tags });
  },
  async follow_up(answer, { channel, keepFollowUps }) {
    const followUps = readFollowUps(answer);
    if (!followUps?.length) return;
    await keepFollowUps(followUps);
    await channel.event({ type: 'chat:message:follow_ups', data: { follow_ups: followUps } });
  },
};
