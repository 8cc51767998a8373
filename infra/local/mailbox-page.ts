import type { StoredMail } from './mailbox.ts';

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self' data:; frame-ancestors 'none'";

/** Plain HTML; each mail's own HTML stays inside a sandboxed frame. */
export const mailboxPage = (mails: readonly StoredMail[]) =>
  new Response(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mailbox</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body><h1>Mailbox</h1><p>${mails.length === 0 ? 'No mail yet. Whatever the platform sends will appear here.' : `${mails.length} mails, newest first.`}</p>
${mails.map(article).join('\n')}</body></html>`,
    { headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY } },
  );

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#222}
article{border:1px solid #ccc;border-radius:6px;padding:1rem;margin:1rem 0}h2{margin:0;font-size:1.1rem}
small{color:#666}pre{white-space:pre-wrap;overflow-wrap:anywhere}iframe{width:100%;height:22rem;border:1px solid #ddd}`;

const article = ({ subject, from, to, at, text, html }: StoredMail) => `<article><h2>${escape(subject)}</h2>
<small>${escape(from)} → ${escape(to.join(', '))}, ${new Date(at).toISOString()}</small>
<pre>${linked(escape(text))}</pre>
${html ? `<details><summary>HTML</summary><iframe sandbox srcdoc="${escape(html)}"></iframe></details>` : ''}</article>`;

const escape = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

const linked = (escaped: string) =>
  escaped.replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}" rel="noreferrer">${url}</a>`);
