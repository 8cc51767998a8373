import { h, iconButton } from './dom.js';

/** The frame of the page: chats on the left, or behind a button where there is no room. */
export function createLayout({ me, config, models, list, thread, composer, onSignOut }) {
  const menu = iconButton('menu', 'Chats', { 'aria-expanded': 'false', class: 'icon menu' });
  const title = h('h1');
  const tags = h('span', { class: 'tags' });
  const lost = h('p', { class: 'lost', role: 'status', hidden: true }, 'Connecting again …');
  const sidebar = h(
    'aside',
    { class: 'sidebar' },
    h('header', {}, h('strong', {}, config.name), h('a', { href: '#', class: 'new' }, 'New chat')),
    list.element,
    h(
      'footer',
      {},
      h('span', {}, me.name),
      h('button', { type: 'button', class: 'quiet', onclick: onSignOut }, 'Sign out'),
    ),
  );
  const element = h(
    'div',
    { class: 'app' },
    sidebar,
    h('main', {}, h('header', {}, menu, title, tags, models.element), lost, thread.element, composer.element),
  );
  const setMenu = (isOpen) => {
    element.classList.toggle('with-menu', isOpen);
    menu.setAttribute('aria-expanded', String(isOpen));
  };
  menu.addEventListener('click', () => setMenu(menu.getAttribute('aria-expanded') !== 'true'));
  element.addEventListener('keydown', ({ key }) => void (key === 'Escape' && setMenu(false)));
  thread.element.addEventListener('click', () => setMenu(false));
  return {
    element,
    closeMenu: () => setMenu(false),
    setTitle(text, names) {
      title.textContent = text || 'New chat';
      tags.replaceChildren(...names.map((name) => h('span', {}, String(name))));
    },
    setConnected: (isConnected) => void (lost.hidden = isConnected),
  };
}
