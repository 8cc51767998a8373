import { titleIn } from './events.js';
import { execute } from './execute.js';
import { toast } from './toasts.js';

/**
 * Takes what the socket says to where it belongs, in the order it was said. What was too large for the socket is fetched.
 * @param {any} parts
 */
export function createDispatch(parts) {
  let turn = Promise.resolve();
  return (event, answer) => {
    turn = turn
      .then(() => whole(event, parts.ask))
      .then((one) => deliver(one, answer, parts))
      .catch((error) => toast('error', error.message));
  };
}

async function whole(event, ask) {
  const url = event.data?.data?.reference?.url;
  return typeof url === 'string' && url.startsWith('/api/v1/realtime/payloads/') ? ask(`GET ${url}`) : event;
}

/** Questions are not waited for: what comes after them must still be shown. */
function deliver(event, answer, { conversation, list, dialogs }) {
  const {
    chat_id: chatId,
    message_id: messageId,
    data: { type, data = {} },
  } = event;
  const reply = (value) => void (value !== undefined && answer?.(value));
  switch (type) {
    case 'notification':
      return toast(data.type, data.content);
    case 'confirmation':
      return void dialogs.confirm(data, messageId).then(reply);
    case 'input':
      return void dialogs.input(data, messageId).then(reply);
    case 'execute':
      return void execute(data.code).then((value) => answer?.(value));
    case 'chat:active':
      list.mark(chatId, data.active === true);
      if (data.active === true && !list.has(chatId)) void list.reload().catch(() => {});
      if (data.active === false) dialogs.dismiss(messageId);
      break;
    case 'chat:title':
      list.retitle(chatId, titleIn(data));
      break;
  }
  if (chatId === conversation.chat.chatId) conversation.hear(event);
}
