/** Runs in the browser. The token stands behind the `#`, so it never reaches a server log. */
export const PAGE_SCRIPT = `
const form = document.querySelector('form');
const message = document.querySelector('[role=status]');
const token = new URLSearchParams(location.hash.slice(1)).get('token') || '';
let challengeId = '';

const say = (text) => { message.textContent = text; };
const show = (names) => {
  for (const field of form.querySelectorAll('label')) {
    const isShown = names.includes(field.dataset.field);
    field.hidden = !isShown;
    field.querySelector('input').disabled = !isShown;
  }
};
const reason = (body) =>
  Array.isArray(body.detail) ? body.detail.map((one) => one.msg).join('. ') : body.detail || 'That did not work.';

async function ask(path, body) {
  const options = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(path, { credentials: 'same-origin', ...options });
  const text = await answer.text();
  return { ok: answer.ok, body: text ? JSON.parse(text) : {} };
}

async function openInvite() {
  const { ok, body } = await ask('/api/auth/invite/' + encodeURIComponent(token));
  if (!ok) { form.hidden = true; return say(reason(body)); }
  document.querySelector('h1').textContent = 'Join ' + body.organizationName;
  if (body.needsPassword) show(['name', 'password']);
  else { show([]); say('Signed in as ' + body.email + '? Then accept.'); }
}

async function submit() {
  const fields = Object.fromEntries(new FormData(form));
  const isCode = challengeId !== '';
  const path = isCode ? '/api/auth/verify-login-otp' : form.dataset.endpoint;
  const body = isCode ? { challengeId, code: fields.code } : { ...fields, ...(token && { token }) };
  const answer = await ask(path, body);
  if (!answer.ok) return say(reason(answer.body));
  if (answer.body.startUrl) return location.assign(answer.body.startUrl);
  if (answer.body.status === 'OTP_REQUIRED') {
    challengeId = answer.body.challengeId;
    show(['code']);
    return say('Enter the code from ' + answer.body.destination + '.');
  }
  form.hidden = true;
  say(form.dataset.done);
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  say('');
  submit().catch(() => say('The server cannot be reached. Try again.'));
});
if (form.dataset.kind === 'invite') openInvite().catch(() => say('The server cannot be reached. Try again.'));
`;
