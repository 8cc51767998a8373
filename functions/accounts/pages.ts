import { createHash } from 'node:crypto';
import { notFound } from '../../shared/errors.ts';
import { escapeHtml } from '../../shared/mail/letter.ts';
import { PAGE_SCRIPT } from './page-script.ts';

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'email' | 'password' | 'text';
  readonly autocomplete: string;
  /** Shown only when the server asks for it. */
  readonly later?: true;
}

interface Page {
  readonly title: string;
  readonly endpoint: string;
  readonly fields: readonly Field[];
  readonly button: string;
  readonly done: string;
  readonly kind?: 'invite';
}

const email: Field = { name: 'email', label: 'Address', type: 'email', autocomplete: 'username' };
const password: Field = { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' };
const newPassword: Field = { ...password, label: 'New password', autocomplete: 'new-password' };
const name: Field = { name: 'name', label: 'Your name', type: 'text', autocomplete: 'name', later: true };
const code: Field = { name: 'code', label: 'Login code', type: 'text', autocomplete: 'one-time-code', later: true };

/** Where the links in mails lead: one small form each, over the same endpoints that every client calls. */
const PAGES: Readonly<Record<string, Page>> = {
  'sign-in': {
    title: 'Sign in',
    endpoint: '/api/auth/login',
    fields: [email, password, code],
    button: 'Sign in',
    done: 'You are signed in.',
  },
  'forgot-password': {
    title: 'Forgotten password',
    endpoint: '/api/auth/forgot-password',
    fields: [email],
    button: 'Send me a link',
    done: 'If there is such an account, a link is on its way.',
  },
  'verify-email': {
    title: 'Confirm your address',
    endpoint: '/api/auth/verify-email',
    fields: [],
    button: 'Confirm',
    done: 'Your address is confirmed.',
  },
  'reset-password': {
    title: 'Set a new password',
    endpoint: '/api/auth/reset-password',
    fields: [newPassword],
    button: 'Set password',
    done: 'Your password is set. Sign in with it.',
  },
  'reset-operator-password': {
    title: 'Set a new operator password',
    endpoint: '/api/admin/auth/reset-password',
    fields: [newPassword],
    button: 'Set password',
    done: 'Your password is set. Sign in with it.',
  },
  invite: {
    title: 'Invitation',
    endpoint: '/api/auth/invite/accept',
    fields: [name, { ...newPassword, label: 'Choose a password', later: true }, code],
    button: 'Accept',
    done: 'Welcome. You are a member now.',
    kind: 'invite',
  },
};

export function accountPage(id: string, serviceName: string): Response {
  const page = Object.hasOwn(PAGES, id) ? PAGES[id] : undefined;
  if (!page) throw notFound('Page');
  return new Response(render(page, serviceName), {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY },
  });
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:12vh auto;padding:0 1rem;color:#1d2230}
label{display:block;margin:1rem 0}input{display:block;width:100%;box-sizing:border-box;padding:.6rem;font:inherit}
button{padding:.6rem 1.2rem;font:inherit}[hidden]{display:none}small{color:#667085}`;

const fingerprint = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const POLICY = [
  "default-src 'none'",
  `script-src ${fingerprint(PAGE_SCRIPT)}`,
  `style-src ${fingerprint(STYLE)}`,
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const render = (page: Page, serviceName: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(page.title)}</title><style>${STYLE}</style></head>
<body><h1>${escapeHtml(page.title)}</h1>
<form data-endpoint="${page.endpoint}" data-kind="${page.kind ?? ''}" data-done="${escapeHtml(page.done)}">
${page.fields.map(input).join('\n')}
<button>${escapeHtml(page.button)}</button></form>
<p role="status" aria-live="polite"></p><small>${escapeHtml(serviceName)}</small>
<script type="module">${PAGE_SCRIPT}</script></body></html>`;

const input = (field: Field) =>
  `<label data-field="${field.name}"${field.later ? ' hidden' : ''}>${escapeHtml(field.label)}<input name="${field.name}" type="${field.type}" autocomplete="${field.autocomplete}" required${field.later ? ' disabled' : ''}></label>`;
