/**
 * Builds an element. Children that are text become text nodes, so nothing that anybody says is ever read as markup.
 * Properties that are functions listen to the event after their `on`; false and undefined ones are left out.
 * @param {string} tag
 * @param {Record<string, string | number | boolean | Function | undefined>} [props]
 * @param {...(Node | string | undefined | false)} children
 * @returns {any}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

const SHAPES = {
  plus: 'M12 5v14M5 12h14',
  menu: 'M4 7h16M4 12h16M4 17h16',
  pencil: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  trash: 'M5 7h14M10 7V5h4v2M7 7l1 13h8l1-13',
  again: 'M19 12a7 7 0 1 1-2.2-5.1M19 4v4h-4',
  copy: 'M9 9h10v11H9zM6 15H5V4h10v1',
  star: 'M12 4l2.4 5.1 5.6.7-4.1 3.8 1.1 5.5-5-2.8-5 2.8 1.1-5.5L4 9.8l5.6-.7z',
  left: 'M14 7l-5 5 5 5',
  right: 'M10 7l5 5-5 5',
  send: 'M12 19V6M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  close: 'M6 6l12 12M18 6L6 18',
};

/** @param {keyof typeof SHAPES} name */
function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', SHAPES[name]);
  svg.append(path);
  return svg;
}

/**
 * A button with a picture; its label is read out and shown as a hint.
 * @param {keyof typeof SHAPES} shape
 * @param {string} label
 * @param {Record<string, string | number | boolean | Function | undefined>} [props]
 * @returns {HTMLButtonElement}
 */
export const iconButton = (shape, label, props = {}) =>
  h('button', { type: 'button', class: 'icon', 'aria-label': label, title: label, ...props }, icon(shape));

/** Addresses that a click may lead to; scripts and everything else unusual are none. */
export function safeLink(given) {
  if (typeof given !== 'string' || !URL.canParse(given, location.href)) return undefined;
  const url = new URL(given, location.href);
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined;
}

/** A link that opens beside the page and tells the other side nothing about it. */
export const link = (href, ...children) =>
  h('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...children);
