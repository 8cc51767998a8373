import { setTimeout as sleep } from 'node:timers/promises';
import { call } from './call.ts';

export interface ReceivedMail {
  readonly to: string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly at: number;
}

/** Mails of one address, newest first, as `/dev/mailbox.json` shows them. */
export const mailsTo = async (address: string, url?: string): Promise<ReceivedMail[]> =>
  (await call(`GET /dev/mailbox.json?to=${encodeURIComponent(address)}`, undefined, { url })).body;

/** Waits until a mail whose subject matches has arrived; with `count`, until there are that many of them. */
export async function awaitMail(address: string, subject: RegExp, { count = 1, url = '' } = {}): Promise<ReceivedMail> {
  for (let waited = 0; waited < 10_000; waited += 25) {
    const found = (await mailsTo(address, url || undefined)).filter((mail) => subject.test(mail.subject));
    const [newest] = found;
    if (newest && found.length >= count) return newest;
    await sleep(25);
  }
  throw new Error(`No mail to ${address} about ${subject} within ten seconds`);
}

export const codeIn = (mail: ReceivedMail) => /^(\d{6})$/m.exec(mail.text)?.[1] ?? '';
export const tokenIn = (mail: ReceivedMail) => /#token=([\w-]+)/.exec(mail.text)?.[1] ?? '';
