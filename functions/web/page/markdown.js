import { h } from './dom.js';
import { inline } from './inline.js';
import { parseBlocks } from './blocks.js';

const DEEPEST = 6;

/** Shows text as it grows: blocks that have not changed stay the elements they are. */
export function createMarkdown() {
  const element = h('div', { class: 'markdown' });
  let shown = [];
  return {
    element,
    update(text) {
      const blocks = parseBlocks(text);
      const same = blocks.findIndex((block, i) => block.source !== shown[i]);
      const keep = same === -1 ? blocks.length : same;
      while (element.childElementCount > keep) element.lastElementChild?.remove();
      element.append(...blocks.slice(keep).map((block) => render(block, 0)));
      shown = blocks.map(({ source }) => source);
    },
  };
}

const below = (text, depth) =>
  depth >= DEEPEST ? [h('p', {}, text)] : parseBlocks(text).map((block) => render(block, depth + 1));

const RENDERERS = {
  code: ({ language, text }) => codeBlock(language, text),
  heading: ({ level, text }) => h(`h${Math.min(level + 2, 6)}`, {}, ...inline(text)),
  rule: () => h('hr'),
  quote: ({ text }, depth) => h('blockquote', {}, ...below(text, depth)),
  table: (block) => table(block),
  list: ({ start, items }, depth) =>
    h(
      Number.isNaN(start) ? 'ul' : 'ol',
      { start: Number.isNaN(start) ? undefined : start },
      ...items.map((text) => h('li', {}, ...(text.includes('\n') ? below(text, depth) : inline(text)))),
    ),
  paragraph: ({ text }) => h('p', {}, ...inline(text)),
};

const render = (block, depth) => RENDERERS[block.kind](block, depth);

export function codeBlock(language, text) {
  const copy = h('button', { type: 'button', class: 'small' }, 'Copy');
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    copy.textContent = 'Copied';
  });
  return h(
    'figure',
    { class: 'code' },
    h('figcaption', {}, h('span', {}, language || 'text'), navigator.clipboard !== undefined && copy),
    h('pre', {}, h('code', {}, text)),
  );
}

const table = ({ head, rows, aligned }) =>
  h(
    'div',
    { class: 'wide' },
    h(
      'table',
      {},
      h('thead', {}, h('tr', {}, ...head.map((cell, i) => h('th', { class: aligned[i] }, ...inline(cell))))),
      h(
        'tbody',
        {},
        ...rows.map((row) => h('tr', {}, ...row.map((cell, i) => h('td', { class: aligned[i] }, ...inline(cell))))),
      ),
    ),
  );
