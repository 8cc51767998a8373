import { ses } from '../aws/services.ts';
import type { Settings } from '../settings/variables.ts';
import type { QueuedMail } from './outbox.ts';

/** Sends one mail, or throws so that the queue tries again. */
export type Deliver = (mail: QueuedMail) => Promise<void>;

type MailSettings = Pick<Settings, 'SMTP_URL' | 'MAIL_FROM'>;

export const createDelivery = (settings: MailSettings): Deliver =>
  settings.SMTP_URL ? bySmtp(settings) : bySes(settings);

const bySes =
  ({ MAIL_FROM }: MailSettings): Deliver =>
  async ({ to, subject, html, text }) => {
    const part = (Data: string) => ({ Data, Charset: 'UTF-8' });
    await ses('POST', '/v2/email/outbound-emails', {
      FromEmailAddress: MAIL_FROM,
      Destination: { ToAddresses: [to] },
      Content: { Simple: { Subject: part(subject), Body: { Text: part(text), Html: part(html) } } },
    });
  };

/** The library is loaded only where a mail server is configured. */
function bySmtp({ SMTP_URL, MAIL_FROM }: MailSettings): Deliver {
  let connecting: Promise<Transport> | undefined;
  return async ({ to, subject, html, text }) => {
    const transport = await (connecting ??= openSmtp(SMTP_URL));
    await transport.sendMail({ from: MAIL_FROM, to, subject, html, text });
  };
}

type Transport = Awaited<ReturnType<typeof openSmtp>>;

const openSmtp = async (url: string) => {
  const { createTransport } = await import('nodemailer');
  return createTransport({ url, pool: true, connectionTimeout: 10_000, socketTimeout: 20_000 });
};
