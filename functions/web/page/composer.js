import { h, iconButton } from './dom.js';

const TALLEST = 240;

/** Where people write. Enter sends, Shift and Enter is a new line; while an answer is written the button stops it. */
export function createComposer({ onSend, onStop }) {
  const field = createField();
  const send = iconButton('send', 'Send', { type: 'submit', class: 'icon round' });
  const stop = iconButton('stop', 'Stop', { class: 'icon round', onclick: onStop });
  let isAnswering = false;

  const onsubmit = async (event) => {
    event.preventDefault();
    const text = field.element.value.trim();
    if (text === '' || isAnswering) return;
    field.set('');
    // What could not be sent is given back, unless something new was written meanwhile.
    if (!(await onSend(text)) && field.element.value === '') field.set(text);
  };
  return {
    element: h('form', { class: 'composer', onsubmit }, field.element, send, stop),
    focus: () => field.element.focus(),
    update(isWriting) {
      isAnswering = isWriting;
      send.hidden = isWriting;
      stop.hidden = !isWriting;
    },
  };
}

/** Grows with its text. */
function createField() {
  const props = { rows: '1', placeholder: 'Write a message', 'aria-label': 'Message', enterkeyhint: 'send' };
  const fit = () => {
    element.style.height = 'auto';
    element.style.height = `${Math.min(element.scrollHeight, TALLEST)}px`;
  };
  const onkeydown = (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    element.form.requestSubmit();
  };
  const element = h('textarea', { ...props, oninput: fit, onkeydown });
  return {
    element,
    set(text) {
      element.value = text;
      fit();
    },
  };
}
