import { filesView, sourcesView } from './attachments.js';
import { h, iconButton } from './dom.js';
import { createEmbeds } from './embeds.js';
import { createMarkdown } from './markdown.js';
import { statusView } from './status.js';
import { isPending } from './tree.js';

/**
 * One message on the page. Each part is made anew only when what it shows has changed.
 * @param {{ regenerate: Function, select: Function, favorite: Function, send: Function }} actions
 */
export function createMessageView(actions) {
  const markdown = createMarkdown();
  const embeds = createEmbeds();
  const [head, status, files, sources, error, tools] = ['who', 'state', 'files', 'origin', 'failure', 'tools'].map(
    slot,
  );
  const element = h('article');
  element.append(head.element, status.element, markdown.element, files.element, embeds.element, sources.element);
  element.append(error.element, tools.element);
  return {
    element,
    update(message, context) {
      element.className = `message ${message.role === 'user' ? 'user' : 'assistant'}`;
      element.dataset.id = message.id;
      element.setAttribute('aria-busy', String(isPending(message)));
      head.show([message.modelName ?? message.model], () => nameOf(message));
      status.show([message.statusHistory, message.content === '', message.done, message.error], () =>
        message.role === 'assistant' ? statusView(message) : [],
      );
      markdown.update(message.content ?? '');
      files.show([message.files], () => filesView(message.files));
      embeds.update(message.embeds);
      sources.show([message.sources, message.code_executions], () =>
        sourcesView(message.sources, message.code_executions),
      );
      error.show([message.error], () => errorView(message.error));
      tools.show([message.done, message.favorite, message.followUps, context], () =>
        toolsView(message, context, actions),
      );
    },
  };
}

/** A place whose content is made anew when its key is another. */
function slot(name) {
  const element = h('div', { class: name });
  let shown = '';
  return {
    element,
    show(key, build) {
      const text = JSON.stringify(key);
      if (text === shown) return;
      shown = text;
      element.replaceChildren(...build());
    },
  };
}

const nameOf = ({ role, modelName, model }) =>
  role === 'user' ? [h('span', { class: 'unseen' }, 'You')] : [String(modelName ?? model ?? '')];

function errorView(error) {
  if (!error) return [];
  const text = typeof error === 'string' ? error : (error.content ?? error.message ?? 'The answer failed.');
  return [h('p', { class: 'error', role: 'alert' }, String(text))];
}

function toolsView(message, { siblings, isLast }, actions) {
  if (message.role !== 'assistant' || isPending(message)) return [];
  const at = siblings.indexOf(message.id);
  const isFavorite = message.favorite === true;
  const copy =
    navigator.clipboard &&
    iconButton('copy', 'Copy', { onclick: () => void navigator.clipboard.writeText(message.content) });
  const tools = [
    ...(siblings.length > 1 ? branches(siblings, at, actions) : []),
    ...(copy ? [copy] : []),
    iconButton('star', 'Favorite', { 'aria-pressed': String(isFavorite), onclick: () => actions.favorite(message) }),
    iconButton('again', 'Write again', { onclick: () => actions.regenerate(message) }),
  ];
  const followUps = isLast ? (message.followUps ?? []) : [];
  return [
    h('div', { class: 'toolbar' }, ...tools),
    ...followUps.map((text) =>
      h('button', { type: 'button', class: 'follow-up', onclick: () => actions.send(text) }, String(text)),
    ),
  ];
}

const branches = (siblings, at, { select }) => [
  iconButton('left', 'Previous answer', { disabled: at === 0, onclick: () => select(siblings[at - 1]) }),
  h('span', { class: 'count' }, `${at + 1} / ${siblings.length}`),
  iconButton('right', 'Next answer', { disabled: at === siblings.length - 1, onclick: () => select(siblings[at + 1]) }),
];
