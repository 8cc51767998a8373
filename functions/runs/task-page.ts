import { escapeHtml } from '../../shared/mail/letter.ts';
import type { HumanTask } from '../../shared/workflow/step-record.ts';

/** Where the links in mails lead: one plain form, without scripts, that posts back to the same address. */
export const taskPage = ({ title, message, actions, form_schema }: Omit<HumanTask, 'assignees'>): Response =>
  page(
    title,
    `<p class="message">${escapeHtml(message)}</p><form method="post">${fieldsOf(form_schema).map(input).join('')}
<p>${actions.map(({ id, label }) => `<button name="action" value="${escapeHtml(id)}">${escapeHtml(label)}</button>`).join(' ')}</p></form>`,
  );

export const thanksPage = (): Response => page('Thank you', '<p>Your answer has been kept.</p>');

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: unknown;
  readonly choices: readonly unknown[];
}

function fieldsOf(schema: HumanTask['form_schema']): Field[] {
  return Object.entries(recordOf(schema?.['properties'])).map(([name, property]) => {
    const { title, type, enum: choices } = recordOf(property);
    return {
      name,
      label: typeof title === 'string' ? title : name,
      type,
      choices: Array.isArray(choices) ? choices : [],
    };
  });
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function input({ name, label, type, choices }: Field): string {
  const field = `name="values.${escapeHtml(name)}"`;
  const options = choices.map((choice) => `<option>${escapeHtml(String(choice))}</option>`).join('');
  const kind = type === 'integer' || type === 'number' ? 'number" step="any' : 'text';
  const control =
    options !== ''
      ? `<select ${field}>${options}</select>`
      : type === 'boolean'
        ? `<input type="checkbox" value="true" ${field}>`
        : `<input type="${kind}" ${field}>`;
  return `<p><label>${escapeHtml(label)}<br>${control}</label></p>`;
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:3em auto;padding:0 1em}.message{white-space:pre-wrap}';

const page = (title: string, content: string) =>
  new Response(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><h1>${escapeHtml(title)}</h1>${content}</body></html>`,
    {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      },
    },
  );

/** A form knows only text; the schema says what was meant. */
export function formValues(fields: Readonly<Record<string, unknown>>, schema: HumanTask['form_schema']) {
  const known = fieldsOf(schema).flatMap(({ name, type, choices }): [string, unknown][] => {
    const given = fields[`values.${name}`];
    if (type === 'boolean') return [[name, given === 'true']];
    if (typeof given !== 'string' || given === '') return [];
    return [[name, meant(given, type, choices)]];
  });
  return Object.fromEntries(known);
}

function meant(text: string, type: unknown, choices: readonly unknown[]): unknown {
  const choice = choices.find((one) => String(one) === text);
  if (choice !== undefined) return choice;
  return type === 'integer' || type === 'number' ? Number(text) : text;
}
