import { h } from './dom.js';
import { createMessageView } from './message.js';
import { siblingsOf, threadOf } from './tree.js';

const NEAR_END = 80;

/** The conversation on the page. It follows the newest words as long as the reader is at the end. */
export function createThread(actions) {
  const log = h('div', { class: 'log', role: 'log', 'aria-live': 'polite', 'aria-label': 'Conversation' });
  const empty = h(
    'div',
    { class: 'empty' },
    h('h2', {}, 'What can I do for you?'),
    h('p', {}, 'Choose a model above and write below.'),
  );
  const element = h('div', { class: 'scroll', tabindex: '-1' }, empty, log);
  const views = new Map();
  return {
    element,
    show(chat) {
      const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_END;
      const thread = threadOf(chat.messages, chat.currentId);
      empty.hidden = thread.length > 0 || chat.isLoading === true;
      forget(views, new Set(thread.map(({ id }) => id)));
      thread.forEach((message, i) => {
        const view = views.get(message.id) ?? createMessageView(actions);
        views.set(message.id, view);
        view.update(message, { siblings: siblingsOf(chat.messages, message), isLast: i === thread.length - 1 });
        place(log, view.element, i);
      });
      if (isAtEnd) element.scrollTop = element.scrollHeight;
    },
    toEnd: () => void (element.scrollTop = element.scrollHeight),
  };
}

function forget(views, wanted) {
  for (const [id, { element }] of views) {
    if (wanted.has(id)) continue;
    element.remove();
    views.delete(id);
  }
}

/** An element that already stands there is not touched: frames inside would load again. */
function place(parent, element, at) {
  if (parent.children[at] !== element) parent.insertBefore(element, parent.children[at] ?? null);
}
