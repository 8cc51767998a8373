import { h } from './dom.js';

/** The last status is the current one. A hidden one hides the display; with no text yet, a skeleton stands in for it. */
export function statusView({ statusHistory = [], content, done, error }) {
  const current = statusHistory.at(-1);
  const isShown = current !== undefined && current.hidden !== true;
  const isWaiting = content === '' && done !== true && !error;
  if (!isShown) return isWaiting ? [skeleton()] : [];
  const earlier = statusHistory.slice(0, -1).filter(({ hidden }) => hidden !== true);
  if (earlier.length === 0) return [line(current)];
  return [
    h(
      'details',
      { class: 'statuses' },
      h('summary', {}, line(current)),
      h('ol', {}, ...earlier.map((one) => h('li', {}, textOf(one)))),
    ),
  ];
}

/** What is not done shimmers. */
const line = (status) =>
  h('span', { class: status.done === true ? 'status' : 'status shimmer', role: 'status' }, textOf(status));

/** Some descriptions name what stands beside them. */
const textOf = ({ description = '', action, ...rest }) =>
  (description || action || '').replaceAll(/\{\{(\w+)\}\}/g, (whole, name) => String(rest[name] ?? whole));

const skeleton = () =>
  h('div', { class: 'skeleton', role: 'status', 'aria-label': 'The answer is being written' }, h('i'), h('i'), h('i'));
