/** What a mail says, without how it looks. Everything in it is plain text; the rendering escapes it. */
export interface Letter {
  readonly subject: string;
  readonly lines: readonly string[];
  /** A code to read off, set large. */
  readonly code?: string;
  readonly action?: { readonly label: string; readonly link: string };
  /** Small print below. */
  readonly closing?: string;
}

export interface RenderedLetter {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** One letter as HTML and as text; mail programs choose. */
export const renderLetter = (letter: Letter, sender: string): RenderedLetter => ({
  subject: oneLine(letter.subject),
  text: [
    ...letter.lines,
    ...(letter.code ? [letter.code] : []),
    ...(letter.action ? [`${letter.action.label}:\n${letter.action.link}`] : []),
    ...(letter.closing ? [letter.closing] : []),
    sender,
  ].join('\n\n'),
  html: page(letter, sender),
});

/** What a person typed, fit to stand inside a sentence or a subject: one line, no control characters, not endless. */
export const quoted = (text: string, most = 80) => {
  const line = oneLine(text);
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
};

// oxlint-disable-next-line no-control-regex -- they are what must go
const oneLine = (text: string) => text.replaceAll(/[\u0000-\u001F\u007F\u2028\u2029\s]+/g, ' ').trim();

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);

const page = ({ subject, lines, code, action, closing }: Letter, sender: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(oneLine(subject))}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f7;font:16px/1.5 system-ui,sans-serif;color:#1d2230">
<div style="max-width:560px;margin:0 auto;padding:32px;background:#fff;border-radius:8px">
${[
  ...lines.map((line) => paragraph(escapeHtml(line))),
  code ? `<p style="margin:24px 0;font:600 32px/1 monospace;letter-spacing:6px">${escapeHtml(code)}</p>` : '',
  action ? button(action) : '',
  closing ? paragraph(escapeHtml(closing), 'color:#667085;font-size:14px') : '',
]
  .filter(Boolean)
  .join('\n')}
<p style="margin:32px 0 0;color:#667085;font-size:14px">${escapeHtml(sender)}</p>
</div>
</body>
</html>`;

const paragraph = (html: string, style = '') => `<p style="margin:0 0 16px;${style}">${html}</p>`;

const button = ({ label, link }: { readonly label: string; readonly link: string }) =>
  `<p style="margin:24px 0"><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;background:#2f5fd0;color:#fff;border-radius:6px;text-decoration:none">${escapeHtml(label)}</a></p>
<p style="margin:0 0 16px;color:#667085;font-size:14px;word-break:break-all">${escapeHtml(link)}</p>`;
