import { leafOf, newAnswer, newTurn, promptOf } from './tree.js';

/**
 * Everything this tab writes into the open chat. Questions and empty answers are saved before a model is asked.
 * @param {any} context
 */
export function createWriting(context) {
  const { ask, current, follower } = context;
  return {
    async send(text, model) {
      if (current.chat.isLoading) await follower.look();
      const { chat } = current;
      const parent = chat.messages.get(chat.currentId);
      const { question, answer } = newTurn({ text, model, parent });
      if (chat.chatId === undefined) chat.title = titleFrom(text);
      await add(context, { added: [question, answer], linked: parent ? [linking(parent, question.id)] : [] });
      await request(context, chat, answer);
    },
    async regenerate(message, model) {
      const { chat } = current;
      const question = chat.messages.get(message.parentId);
      if (!question) return;
      const answer = newAnswer({ questionId: question.id, model });
      await add(context, { added: [answer], linked: [linking(question, answer.id)] });
      await request(context, chat, answer);
    },
    /** A reply that is no longer written cannot be stopped; then its end was missed. */
    stop: () => ask(`POST /api/tasks/chat/${current.chat.chatId}/stop`).catch(() => follower.look()),
    async select(messageId) {
      const { chat } = current;
      chat.currentId = leafOf(chat.messages, messageId);
      context.changed();
      await save(context, chat, { history: { currentId: chat.currentId } });
    },
    async favorite({ id, favorite }) {
      await amend(context, current.chat, { id, fields: { favorite: favorite !== true } });
    },
  };
}

/** Puts messages into the tree at once, and takes them out again when they cannot be saved. */
async function add(context, { added, linked }) {
  const { chat } = context.current;
  const before = { messages: new Map(chat.messages), currentId: chat.currentId };
  for (const message of [...linked, ...added]) chat.messages.set(message.id, message);
  chat.currentId = added.at(-1).id;
  context.changed(chat);
  try {
    if (chat.chatId === undefined) chat.chatId = await saving(chat, () => create(context, chat));
    else await save(context, chat, patchOf(chat, added, linked));
    context.onSaved(chat);
  } catch (error) {
    Object.assign(chat, before);
    context.changed(chat);
    throw error;
  }
}

async function create({ ask }, { title, messages, currentId }) {
  const flat = [...messages.values()];
  const { models } = flat.find(({ role }) => role === 'user');
  const history = { currentId, messages: Object.fromEntries(messages) };
  const chat = { title, models, messages: flat, history, timestamp: Date.now() };
  return (await ask('POST /api/v1/chats/new', { chat })).id;
}

const save = (context, chat, patch) =>
  saving(chat, () => context.ask(`POST /api/v1/chats/${chat.chatId}`, { chat: patch }, { prefer: 'return=minimal' }));

/** Notes what is on its way, so that nothing older is shown over it. */
function saving({ saves }, work) {
  const result = work();
  saves.count += 1;
  saves.last = result.catch(() => {});
  return result;
}

/** Changes fields of one message, here and in the store. */
async function amend(context, chat, { id, fields }) {
  chat.messages.set(id, { ...chat.messages.get(id), ...fields });
  context.changed(chat);
  await save(context, chat, { history: { messages: { [id]: fields } } });
}

/** The socket tells of the reply; where nobody listens it is looked for. */
async function request(context, chat, answer) {
  if (!context.isHeard()) context.follower.watch([answer.id]);
  try {
    await context.ask('POST /api/chat/completions', {
      model: answer.model,
      messages: promptOf(chat.messages, answer.parentId),
      chat_id: chat.chatId,
      id: answer.id,
      session_id: context.sessionId,
      stream: true,
      background_tasks: { title_generation: chat.messages.size <= 2 },
    });
  } catch (error) {
    const fields = { done: true, error: { content: error.message } };
    await amend(context, chat, { id: answer.id, fields }).catch(() => {});
  }
}

const linking = (message, childId) => ({ ...message, childrenIds: [...message.childrenIds, childId] });

const patchOf = ({ currentId }, added, linked) => ({
  history: {
    currentId,
    messages: Object.fromEntries([
      ...linked.map(({ id, childrenIds }) => [id, { childrenIds }]),
      ...added.map((message) => [message.id, message]),
    ]),
  },
});

const titleFrom = (text) => text.trim().split('\n')[0].slice(0, 60) || 'New chat';
