import { h, iconButton } from './dom.js';

const PAGE = 60;

/**
 * The user's chats, newest first, a page at a time.
 * @typedef {{ id: string, title: string, isActive?: boolean }} Listed
 */
export function createChatList({ ask, onRename, onDelete }) {
  const view = createListView({ onRename, onDelete, onMore: () => void load().catch(() => {}) });
  /** @type {Map<string, Listed>} */
  let chats = new Map();
  let pages = 0;

  const load = async () => {
    const page = await ask(`GET /api/v1/chats?page=${pages + 1}&include_pinned=true&include_folders=true`);
    pages += 1;
    for (const { id, title } of page) if (!chats.has(id)) chats.set(id, { id, title });
    view.show(chats, page.length === PAGE);
  };
  const change = (id, fields) => {
    const chat = chats.get(id);
    if (chat) chats.set(id, { ...chat, ...fields });
    view.show(chats);
  };
  return {
    element: view.element,
    open: (id) => view.open(id),
    has: (id) => chats.has(id),
    retitle: (id, title) => change(id, { title }),
    mark: (id, isActive) => change(id, { isActive }),
    async reload() {
      chats = new Map();
      pages = 0;
      await load();
    },
    /** A chat that was just written in stands first. */
    lift(id, title) {
      const others = [...chats].filter(([other]) => other !== id);
      chats = new Map([[id, { ...chats.get(id), id, title }], ...others]);
      view.show(chats);
    },
    remove(id) {
      chats.delete(id);
      view.show(chats);
    },
  };
}

function createListView({ onRename, onDelete, onMore }) {
  const list = h('ul');
  const more = h('button', { type: 'button', class: 'quiet', hidden: true, onclick: onMore }, 'Show more');
  let openId = '';
  const mark = () => {
    for (const one of list.children) {
      const isOpen = one.dataset.id === openId;
      one.classList.toggle('open', isOpen);
      one.querySelector('a').setAttribute('aria-current', isOpen ? 'page' : 'false');
    }
  };
  return {
    element: h('nav', { class: 'chats', 'aria-label': 'Chats' }, list, more),
    show(chats, hasMore = !more.hidden) {
      list.replaceChildren(...[...chats.values()].map((chat) => item(chat, { onRename, onDelete })));
      more.hidden = !hasMore;
      mark();
    },
    open(id = '') {
      openId = id;
      mark();
    },
  };
}

/** @param {Listed} chat */
const item = ({ id, title, isActive }, { onRename, onDelete }) =>
  h(
    'li',
    { 'data-id': id },
    h('a', { href: `#/c/${id}` }, title),
    isActive === true && h('span', { class: 'pulse', title: 'An answer is being written' }),
    iconButton('pencil', `Rename ${title}`, { onclick: () => onRename(id, title) }),
    iconButton('trash', `Delete ${title}`, { onclick: () => onDelete(id, title) }),
  );
