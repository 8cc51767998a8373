import { createApi } from './api.js';
import { createApp } from './app.js';
import { h } from './dom.js';
import { createSignIn } from './sign-in.js';
import { toast } from './toasts.js';

const root = /** @type {HTMLElement} */ (document.querySelector('#root'));
let config = { name: 'Atrium' };
/** @type {(ReturnType<typeof createApp> & { userId: string }) | undefined} */
let app;
/** @type {HTMLElement | undefined} */
let signIn;

const ask = createApi({ onSignedOut: () => showSignIn() });

/** Asks the service who this is, and shows what they may see. */
async function start() {
  try {
    config = await ask('GET /api/config');
    document.title = config.name;
    await enter();
  } catch (error) {
    // An operator is signed in, perhaps; they are no users, and may be one under another login.
    if (error.status === 403) showSignIn();
    else if (error.status !== 401) showFailure(error);
  }
}

/** Whoever comes back finds the page as they left it; somebody else finds a fresh one. */
async function enter() {
  const me = await ask('GET /api/auth/me');
  signIn?.remove();
  signIn = undefined;
  if (app && app.userId !== me.id) return location.reload();
  app ??= open(me);
  app.element.hidden = false;
  await app.resume();
}

function open(me) {
  const opened = { ...createApp({ ask, me, config, onSignOut }), userId: me.id };
  root.replaceChildren(opened.element);
  return opened;
}

/** The page stays behind the form, with whatever was being written. */
function showSignIn() {
  if (signIn) return;
  app?.pause();
  if (app) app.element.hidden = true;
  const form = createSignIn({ ask, config, onDone: enter });
  signIn = form;
  root.append(form);
  form.querySelector('input')?.focus();
}

async function onSignOut() {
  try {
    await ask('POST /api/auth/logout', {});
    location.assign('/');
  } catch (error) {
    toast('error', error.message);
  }
}

function showFailure(error) {
  const retry = h('button', { class: 'primary', onclick: () => void start() }, 'Try again');
  root.replaceChildren(
    h('main', { class: 'sign-in' }, h('div', { class: 'card' }, h('p', { role: 'alert' }, error.message), retry)),
  );
}

void start();
