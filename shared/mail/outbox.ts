import * as z from 'zod';
import { sqs } from '../aws/services.ts';
import { log } from '../log.ts';
import { requiredFromEnvironment } from '../settings/environment.ts';
import { queueVariable } from '../settings/names.ts';
import type { Settings } from '../settings/variables.ts';
import { renderLetter, type Letter } from './letter.ts';

/** A mail as it waits in the queue, ready to be sent. */
export const QueuedMail = z.object({ to: z.string(), subject: z.string(), html: z.string(), text: z.string() });
export type QueuedMail = z.output<typeof QueuedMail>;

export interface Outbox {
  /** Resolves once the mail is safe in the queue. Never throws: whoever asked has done their part, and can ask again. */
  send(to: string, letter: Letter): Promise<void>;
}

/** Requests only hand mails over; a job sends them, as often as it takes. */
export const createOutbox = (settings: Pick<Settings, 'SVC_NAME'>): Outbox => ({
  async send(to, letter) {
    const mail: QueuedMail = { to, ...renderLetter(letter, settings.SVC_NAME) };
    try {
      const QueueUrl = requiredFromEnvironment(queueVariable('mail'));
      await sqs('SendMessage', { QueueUrl, MessageBody: JSON.stringify(mail) });
    } catch (error) {
      log.error('mail not queued', { reason: letter.subject.replaceAll(/\d/g, '*'), error });
    }
  },
});
