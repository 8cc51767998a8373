import { notFound } from '../../shared/errors.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import type { PluginRow } from '../../shared/plugins/plugin.ts';
import type { Runner } from '../../shared/plugins/runner.ts';
import type { Place, Voice } from '../../shared/plugins/voice.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface ActionBody extends Fields {
  readonly model: string;
  readonly chat_id?: string | null;
  readonly id?: string | null;
  readonly session_id?: string | null;
}

export interface ActionParts {
  readonly all: () => Promise<ReadonlyMap<string, PluginRow>>;
  readonly runner: Runner;
  readonly voiceAt: (actor: UserActor, place: Place) => Voice | undefined;
  /** Events are stored in the chat, so it must be the caller's. */
  readonly ownsChat: (actor: UserActor, chatId: string) => Promise<boolean>;
}

export type RunAction = (actor: UserActor, actionId: string, body: ActionBody) => Promise<unknown>;

/** `plugin` or `plugin.sub`, for a plugin with several actions. */
export const createRunAction =
  ({ all, runner, voiceAt, ownsChat }: ActionParts): RunAction =>
  async (actor, actionId, body) => {
    const [id = '', subId] = actionId.split('.', 2);
    const plugin = (await all()).get(id);
    if (!plugin || plugin.kind !== 'action' || !plugin.is_active || !hasSub(plugin, subId)) throw notFound('Action');
    const { chat_id: chatId, id: messageId, session_id: sessionId } = body;
    if (chatId && !(await ownsChat(actor, chatId))) throw notFound('Chat');
    const voice = voiceAt(actor, {
      ...(chatId && { chatId }),
      ...(messageId && { messageId }),
      ...(sessionId && { sessionId }),
    });
    const facts = {
      model: { id: body.model },
      ...(chatId && { chat_id: chatId }),
      ...(messageId && { message_id: messageId }),
      ...(subId !== undefined && { sub_id: subId }),
    };
    return (await runner.run({ plugin, method: 'action', args: [body], actor, facts, voice })) ?? null;
  };

const hasSub = ({ definition }: PluginRow, subId: string | undefined) =>
  subId === undefined ? true : (definition.actions ?? []).some(({ id }) => id === subId);
