import { h } from './dom.js';

/**
 * @typedef {{ title?: string, message?: string, placeholder?: string, value?: unknown, type?: string, accept?: string }} Question
 */

/** One question at a time; the others wait for their turn. Escape is a no. */
export function createDialogs() {
  let turn = /** @type {Promise<unknown>} */ (Promise.resolve());
  const open = new Set();

  const ask = (belongsTo, show) => {
    const waiting = { belongsTo, dismiss: () => {}, isOver: false };
    open.add(waiting);
    const answer = turn.then(() => (waiting.isOver ? undefined : show(waiting)));
    turn = answer.finally(() => open.delete(waiting));
    return answer;
  };

  return {
    /** @param {Question} question @param {string} [belongsTo] @returns {Promise<boolean | undefined>} */
    confirm: (question, belongsTo) => ask(belongsTo, (waiting) => showConfirmation(question, waiting)),
    /** @param {Question} question @param {string} [belongsTo] @returns {Promise<string | false | undefined>} */
    input: (question, belongsTo) => ask(belongsTo, (waiting) => showInput(question, waiting)),
    /**
     * Nobody waits any more for what was asked on behalf of this message, or of any.
     * @param {string} [belongsTo]
     */
    dismiss(belongsTo) {
      for (const waiting of open) {
        if (waiting.belongsTo === undefined || (belongsTo !== undefined && waiting.belongsTo !== belongsTo)) continue;
        waiting.isOver = true;
        waiting.dismiss();
      }
    },
  };
}

const showConfirmation = (question, waiting) =>
  show(waiting, (settle) => ({
    question,
    body: [],
    submit: () => settle(true),
  }));

function showInput(question, waiting) {
  const field = h('input', {
    type: question.type === 'password' ? 'password' : 'text',
    placeholder: question.placeholder ?? '',
    autocomplete: 'off',
    autofocus: true,
    'aria-label': question.message || question.title || 'Answer',
  });
  field.value = question.value ?? '';
  return show(waiting, (settle) => ({ question, body: [field], submit: () => settle(field.value) }));
}

/** Resolves with what `settle` is called with, false when cancelled, and undefined when dismissed. */
const show = (waiting, build) =>
  new Promise((resolve) => {
    const settle = (value) => {
      dialog.close();
      dialog.remove();
      resolve(value);
    };
    const { question, body, submit } = build(settle);
    const dialog = h('dialog', { 'aria-label': question.title || 'Question' });
    const cancel = h('button', { type: 'button', onclick: () => settle(false) }, 'Cancel');
    const accept = h('button', { class: 'primary' }, question.accept ?? 'OK');
    const onsubmit = (event) => {
      event.preventDefault();
      submit();
    };
    const onclose = (event) => {
      event.preventDefault();
      settle(false);
    };
    dialog.addEventListener('cancel', onclose);
    dialog.append(
      h(
        'form',
        { onsubmit },
        h('h2', {}, question.title || 'Question'),
        question.message && h('p', {}, question.message),
        ...body,
        h('div', { class: 'buttons' }, cancel, accept),
      ),
    );
    waiting.dismiss = () => settle(undefined);
    document.body.append(dialog);
    dialog.showModal();
  });
