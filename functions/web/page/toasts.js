import { h, iconButton } from './dom.js';

const KINDS = ['info', 'success', 'warning', 'error'];
const SHOWN_MS = 6000;
const MOST = 5;

/** What went wrong stays until it is closed; the rest goes by itself. */
export function toast(kind, content) {
  const place = /** @type {HTMLElement} */ (document.querySelector('#toasts'));
  const isKnown = KINDS.includes(kind);
  const isUrgent = kind === 'error' || kind === 'warning';
  const one = h(
    'div',
    { class: `toast ${isKnown ? kind : 'info'}`, role: isUrgent ? 'alert' : 'status' },
    h('span', {}, String(content)),
    iconButton('close', 'Close', { onclick: () => one.remove() }),
  );
  place.append(one);
  while (place.childElementCount > MOST) place.firstElementChild?.remove();
  if (kind !== 'error') setTimeout(() => one.remove(), SHOWN_MS);
}
