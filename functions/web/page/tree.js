/** The message tree of a chat, as plain functions over a map from id to message. */

/** From the first message to this one. */
export function threadOf(messages, currentId) {
  const thread = [];
  const seen = new Set();
  for (let message = messages.get(currentId); message && !seen.has(message.id);) {
    seen.add(message.id);
    thread.unshift(message);
    message = messages.get(message.parentId);
  }
  return thread;
}

/** The other answers to the same question, this one included. */
export const siblingsOf = (messages, message) =>
  (messages.get(message.parentId)?.childrenIds ?? [message.id]).filter((id) => messages.has(id));

/** The newest end of the branch that goes through this message. */
export function leafOf(messages, id) {
  const seen = new Set();
  for (let at = messages.get(id); at && !seen.has(at.id);) {
    seen.add(at.id);
    const next = at.childrenIds.findLast((child) => messages.has(child));
    if (!next) return at.id;
    at = messages.get(next);
  }
  return id;
}

/** Browsers make UUIDs by themselves on secure addresses only. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const seconds = () => Math.floor(Date.now() / 1000);

/** A question with an empty answer below it, both to be stored before the model is asked. */
export function newTurn({ text, model, parent }) {
  const questionId = newId();
  const answer = newAnswer({ questionId, model });
  const question = {
    id: questionId,
    role: 'user',
    content: text,
    timestamp: seconds(),
    models: [model.id],
    childrenIds: [answer.id],
    ...(parent && { parentId: parent.id }),
  };
  return { question, answer };
}

export const newAnswer = ({ questionId, model }) => ({
  id: newId(),
  role: 'assistant',
  content: '',
  parentId: questionId,
  childrenIds: [],
  model: model.id,
  modelName: model.name,
  modelIdx: 0,
  timestamp: seconds(),
  done: false,
});

/** What the model is told: everything said so far on this branch, without failed and empty answers. */
export const promptOf = (messages, questionId) =>
  threadOf(messages, questionId)
    .filter(({ content }) => typeof content === 'string' && content !== '')
    .map(({ role, content }) => ({ role, content }));

export const isPending = ({ role, done }) => role === 'assistant' && done !== true;
