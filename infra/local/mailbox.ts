import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { createApi, type Endpoint } from '../../shared/http/api.ts';
import { defineRoutes } from '../../shared/http/route.ts';
import type { Mail } from './aws/mail.ts';
import { mailboxPage } from './mailbox-page.ts';

export const StoredMail = z.object({
  id: z.string(),
  at: z.number(),
  from: z.string(),
  to: z.array(z.string()),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
});
export type StoredMail = z.output<typeof StoredMail>;

export interface Mailbox {
  keep(mail: Mail): void;
  list(to?: string): StoredMail[];
}

/** Mail that nobody delivers: one file each, so a restart keeps it. */
export function openMailbox(folder: string): Mailbox {
  mkdirSync(folder, { recursive: true });
  return {
    keep(mail) {
      writeFileSync(path.join(folder, `${mail.sentAt}-${mail.id}.json`), JSON.stringify(toStored(mail)));
    },
    list: (to) =>
      readdirSync(folder)
        .sort()
        .reverse()
        .map((file) => StoredMail.parse(JSON.parse(readFileSync(path.join(folder, file), 'utf8'))))
        .filter((mail) => !to || mail.to.includes(to.toLowerCase())),
  };
}

function toStored({ id, sentAt, from = '', to, content }: Mail): StoredMail {
  const head = { id, at: sentAt, from, to: to.map((address) => address.toLowerCase()) };
  if (content.kind === 'raw')
    return { ...head, subject: '(raw message)', text: Buffer.from(content.mime).toString('utf8'), html: '' };
  return { ...head, subject: content.subject, text: content.text ?? '', html: content.html ?? '' };
}

const query = z.object({ to: z.string().optional() });
const routes = defineRoutes({
  page: { method: 'GET', path: '/dev/mailbox', auth: 'open', summary: 'Mails as a page', query },
  list: {
    method: 'GET',
    path: '/dev/mailbox.json',
    auth: 'open',
    summary: 'Mails as data, newest first',
    query,
    returns: z.array(StoredMail),
  },
});

/** Only this host has these, and only when ENV is dev. */
export const mailboxEndpoints = (mailbox: Mailbox): Endpoint[] =>
  createApi(
    routes,
    {
      page: ({ query: { to } }) => mailboxPage(mailbox.list(to)),
      list: ({ query: { to } }) => mailbox.list(to),
    },
    () => Promise.resolve(undefined),
  );
