import { h } from './dom.js';

const field = (label, props) => h('label', {}, label, h('input', { required: true, ...props }));
const email = () => field('E-mail', { name: 'email', type: 'email', autocomplete: 'username' });
const password = (autocomplete) => field('Password', { name: 'password', type: 'password', autocomplete });

/** What each step asks for, and what it says to the service. */
const STEPS = {
  login: {
    title: 'Sign in',
    fields: () => [email(), password('current-password')],
    other: 'Create an account',
    next: 'register',
  },
  register: {
    title: 'Create an account',
    fields: () => [field('Name', { name: 'name', autocomplete: 'name' }), email(), password('new-password')],
    other: 'I have an account',
    next: 'login',
  },
  code: {
    title: 'Login code',
    fields: () => [field('Code', { name: 'code', inputmode: 'numeric', autocomplete: 'one-time-code' })],
    other: 'Send the code again',
  },
};

/**
 * Signs in with a password, and a second step when the service asks for one. The session is a cookie that scripts
 * cannot read; the token in the answer is not looked at.
 */
export function createSignIn({ ask, config, onDone }) {
  const form = h('form', { class: 'card' });
  const said = h('p', { class: 'said', role: 'status', 'aria-live': 'polite' });
  const state = { step: 'login', challengeId: '' };
  const context = { ask, state, onDone, say: (text) => void (said.textContent = text), show: (step) => show(step) };

  function show(step) {
    state.step = step;
    const { title, fields, other, next } = STEPS[step];
    const isOffered = step === 'code' || config.features?.enable_signup === true;
    const turn = h(
      'button',
      { type: 'button', class: 'quiet', onclick: () => (next ? show(next) : void resend(context)) },
      other,
    );
    form.replaceChildren(
      h('h1', {}, config.name ?? 'Atrium'),
      h('h2', {}, title),
      ...fields(),
      said,
      h('button', { class: 'primary' }, step === 'register' ? 'Create account' : 'Sign in'),
      isOffered && turn,
      step === 'login' && h('a', { href: '/account/forgot-password', class: 'quiet' }, 'Forgotten password'),
    );
    form.querySelector('input')?.focus();
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    context.say('');
    const fields = Object.fromEntries(new FormData(form));
    submit(context, fields).catch((error) => context.say(error.message));
  });
  show('login');
  return h('main', { class: 'sign-in' }, form);
}

/** @param {any} context @param {Record<string, any>} fields */
async function submit({ ask, state, onDone, say, show }, { email: address, password: secret, name, code }) {
  if (state.step === 'register') {
    const registered = await ask('POST /api/auth/register', { name, email: address, password: secret });
    if (registered.status === 'VERIFICATION_REQUIRED') {
      show('login');
      return say('A mail with a link is on its way. Confirm your address, then sign in.');
    }
  }
  const answer =
    state.step === 'code'
      ? await ask('POST /api/auth/verify-login-otp', { challengeId: state.challengeId, code })
      : await ask('POST /api/auth/login', { email: address, password: secret });
  if (answer.startUrl) return location.assign(answer.startUrl);
  if (answer.status !== 'OTP_REQUIRED') return onDone();
  state.challengeId = answer.challengeId;
  show('code');
  say(answer.channel === 'TOTP' ? 'Enter the code of your app.' : `Enter the code from ${answer.destination}.`);
}

const resend = ({ ask, state, say }) =>
  ask('POST /api/auth/resend-login-otp', { challengeId: state.challengeId }).then(
    () => say('A new code is on its way.'),
    (error) => say(error.message),
  );
