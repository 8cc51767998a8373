import { applyEvent, isMessageEvent, tagsIn, titleIn } from './events.js';
import { createFollower } from './follower.js';
import { isPending } from './tree.js';
import { createWriting } from './writing.js';

/**
 * The chat that is open.
 * @typedef {{ chatId: string | undefined, title: string, tags: string[], messages: Map<string, any>,
 *   currentId: string | null, isLoading: boolean, saves: { count: number, last: Promise<unknown> } }} Chat
 * @returns {Chat}
 */
const nothing = () => ({
  chatId: undefined,
  title: '',
  tags: [],
  messages: new Map(),
  currentId: null,
  isLoading: false,
  saves: { count: 0, last: Promise.resolve() },
});

/**
 * What is open, what is said in it, and what can be done with it. `isHeard` says whether the socket would tell this tab
 * of a reply.
 * @param {{ ask: Function, sessionId: string, isHeard: () => boolean, onChange: (chat: Chat) => void,
 *   onSaved: (chat: Chat) => void }} parts
 */
export function createConversation(parts) {
  const current = { chat: nothing() };
  const changed = (one = current.chat) => void (one === current.chat && parts.onChange(one));
  const follower = createFollower(() => load(current, parts.ask, changed));
  return {
    ...createWriting({ ...parts, current, changed, follower }),
    get chat() {
      return current.chat;
    },
    get isWriting() {
      const last = current.chat.messages.get(current.chat.currentId ?? '');
      return last !== undefined && isPending(last);
    },
    /** @param {string} [chatId] */
    async open(chatId) {
      follower.forget();
      current.chat = { ...nothing(), chatId, isLoading: chatId !== undefined };
      changed();
      await follower.look();
    },
    /** An event of this chat. */
    hear: (event) => hear(event, { chat: current.chat, changed, follower }),
    /** The socket is gone: from here on events are missed. */
    missed: () => follower.watch(pendingIn(current.chat)),
    look: () => follower.look(),
  };
}

const pendingIn = ({ messages }) => [...messages.values()].filter(isPending).map(({ id }) => id);

/** Replies that were loaded half-written are loaded again until they are complete; events would leave gaps in them. */
async function load(current, ask, changed) {
  const { chat } = current;
  if (chat.chatId === undefined) return [];
  await chat.saves.last;
  const { count } = chat.saves;
  const { title, meta, chat: stored } = await ask(`GET /api/v1/chats/${chat.chatId}`);
  if (chat !== current.chat) return [];
  // What was read may be older than what this tab has written meanwhile.
  if (chat.saves.count !== count) return load(current, ask, changed);
  const { currentId, messages } = stored.history;
  const known = { title, currentId, messages: new Map(Object.entries(messages)), tags: meta?.tags ?? [] };
  Object.assign(chat, known, { isLoading: false });
  changed();
  return pendingIn(chat);
}

function hear({ message_id: id, data: { type, data } }, { chat, changed, follower }) {
  if (type === 'chat:title') chat.title = titleIn(data);
  if (type === 'chat:tags') chat.tags = tagsIn(data);
  if (type === 'chat:outlet') follower.hint(true);
  if (type === 'chat:active' && data?.active === false && !follower.isIdle) follower.hint(true);
  if (isMessageEvent(type)) hearOfMessage({ id, type, data }, { chat, follower });
  changed();
}

function hearOfMessage({ id, type, data }, { chat, follower }) {
  const message = chat.messages.get(id);
  if (!message || follower.isWatching(id)) return follower.hint(data?.done === true);
  chat.messages.set(id, applyEvent(message, { type, data }));
}
