import { createChatList } from './chat-list.js';
import { createComposer } from './composer.js';
import { createConversation } from './conversation.js';
import { createDialogs } from './dialogs.js';
import { createDispatch } from './dispatch.js';
import { createLayout } from './layout.js';
import { createModels } from './models.js';
import { createSocket } from './socket.js';
import { createThread } from './thread.js';
import { toast } from './toasts.js';
import { newId } from './tree.js';

const tell = (error) => toast('error', error.message);
const openIdIn = (hash) => /^#\/c\/([\w-]+)$/.exec(hash)?.[1];

/** Everything that somebody who is signed in sees. */
export function createApp({ ask, me, config, onSignOut }) {
  const sessionId = newId();
  const models = createModels(ask);
  const dialogs = createDialogs();
  const composer = createComposer({ onSend: (text) => send(parts, text), onStop: () => void conversation.stop() });
  const thread = createThread(messageActions(() => parts));
  const list = createChatList({ ask, ...chatActions(() => parts) });
  const conversation = createConversation({
    ask,
    sessionId,
    isHeard: () => socket.isReady,
    onChange: (chat) => show(parts, chat),
    onSaved: (chat) => saved(parts, chat),
  });
  const layout = createLayout({ me, config, models, list, thread, composer, onSignOut });
  const parts = { ask, config, conversation, list, models, dialogs, thread, composer, layout };
  const socket = createAppSocket(parts, sessionId);

  addEventListener('hashchange', () => void openChat(parts, openIdIn(location.hash)));
  return {
    element: layout.element,
    async resume() {
      socket.open();
      await Promise.all([models.load(), list.reload()]).catch(tell);
      await openChat(parts, openIdIn(location.hash), { isResumed: true });
      composer.focus();
    },
    pause: () => socket.close(),
  };
}

/** After a gap the open chat is read again: what happened meanwhile was told to nobody. */
function createAppSocket(parts, sessionId) {
  const { conversation, layout, dialogs } = parts;
  let wasLost = false;
  return createSocket({
    sessionId,
    onEvent: createDispatch(parts),
    onReady() {
      layout.setConnected(true);
      if (wasLost) void Promise.all([conversation.look(), parts.list.reload()]).catch(tell);
      wasLost = false;
    },
    onLost() {
      wasLost = true;
      layout.setConnected(false);
      dialogs.dismiss();
      conversation.missed();
    },
    isStillSignedIn: () =>
      parts.ask('GET /api/auth/me').then(
        () => true,
        (error) => error.status !== 401,
      ),
  });
}

/** True when the message is on its way; otherwise the writer gets it back. */
async function send({ conversation, models, thread }, text) {
  try {
    const model = await models.chosen();
    if (!model) throw new Error('There is no model to ask. Ask an operator to connect one.');
    const sending = conversation.send(text, model);
    thread.toEnd();
    await sending;
    return true;
  } catch (error) {
    return tell(error);
  }
}

const again = async ({ conversation, models }, message) => conversation.regenerate(message, await models.chosen());

function saved({ list }, { chatId, title }) {
  list.lift(chatId, title);
  if (openIdIn(location.hash) === chatId) return;
  history.pushState(null, '', `#/c/${chatId}`);
  list.open(chatId);
}

function show({ thread, composer, conversation, layout, config }, chat) {
  thread.show(chat);
  composer.update(conversation.isWriting);
  layout.setTitle(chat.title, chat.tags);
  document.title = chat.title ? `${chat.title} · ${config.name}` : config.name;
}

async function openChat(parts, chatId, { isResumed = false } = {}) {
  const { conversation, list, models, layout, composer } = parts;
  list.open(chatId);
  layout.closeMenu();
  const isOpen = conversation.chat.chatId === chatId;
  if (isOpen && !isResumed) return;
  try {
    await (isOpen ? conversation.look() : conversation.open(chatId));
    models.choose([...conversation.chat.messages.values()].findLast(({ role }) => role === 'assistant')?.model);
    composer.focus();
  } catch (error) {
    if (error.status === 404) location.hash = '';
    tell(error);
  }
}

/** @param {() => any} parts */
const messageActions = (parts) => ({
  send: (text) => void send(parts(), text),
  regenerate: (message) => void again(parts(), message).catch(tell),
  select: (id) => void parts().conversation.select(id).catch(tell),
  favorite: (message) => void parts().conversation.favorite(message).catch(tell),
});

/** @param {() => any} parts */
const chatActions = (parts) => ({
  async onRename(id, title) {
    const { ask, dialogs, list, conversation } = parts();
    const given = await dialogs.input({ title: 'Rename', message: 'The new title', value: title, accept: 'Rename' });
    if (!given || given.trim() === '') return;
    try {
      await ask(`POST /api/v1/chats/${id}`, { chat: { title: given.trim() } }, { prefer: 'return=minimal' });
      list.retitle(id, given.trim());
      if (conversation.chat.chatId === id) conversation.hear({ data: { type: 'chat:title', data: given.trim() } });
    } catch (error) {
      tell(error);
    }
  },
  async onDelete(id, title) {
    const { ask, dialogs, list, conversation } = parts();
    if (!(await dialogs.confirm({ title: 'Delete', message: `Delete "${title}" for good?`, accept: 'Delete' }))) return;
    try {
      await ask(`DELETE /api/v1/chats/${id}`);
      list.remove(id);
      if (conversation.chat.chatId === id) location.hash = '';
    } catch (error) {
      tell(error);
    }
  },
});
