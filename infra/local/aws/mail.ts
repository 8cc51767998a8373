import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { AwsFault } from './fault.ts';
import { readJson, type PathService } from './wire.ts';

export interface MailAttachment {
  readonly name: string;
  readonly type: string | undefined;
  readonly content: Uint8Array;
  readonly contentId: string | undefined;
}

/** One message handed to SES. `raw` is a whole MIME message; otherwise subject and bodies are given. */
export interface Mail {
  readonly id: string;
  readonly sentAt: number;
  readonly from: string | undefined;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly replyTo: readonly string[];
  readonly content:
    | { readonly kind: 'raw'; readonly mime: Uint8Array }
    | {
        readonly kind: 'simple';
        readonly subject: string;
        readonly text: string | undefined;
        readonly html: string | undefined;
        readonly headers: readonly { readonly name: string; readonly value: string }[];
        readonly attachments: readonly MailAttachment[];
      };
}

export type OnMail = (mail: Mail) => void | Promise<void>;

const bytes = z.base64().transform((text) => new Uint8Array(Buffer.from(text, 'base64')));
const Addresses = z.array(z.string()).default([]);
const Part = z.object({ Data: z.string() });
const Simple = z.object({
  Subject: Part,
  Body: z.object({ Text: Part.optional(), Html: Part.optional() }),
  Headers: z.array(z.object({ Name: z.string(), Value: z.string() })).default([]),
  Attachments: z
    .array(
      z.object({
        FileName: z.string(),
        RawContent: bytes,
        ContentType: z.string().optional(),
        ContentId: z.string().optional(),
      }),
    )
    .default([]),
});
const NO_ADDRESSES = { ToAddresses: [], CcAddresses: [], BccAddresses: [] };
const SendEmail = z.object({
  FromEmailAddress: z.string().optional(),
  Destination: z
    .object({ ToAddresses: Addresses, CcAddresses: Addresses, BccAddresses: Addresses })
    .default(NO_ADDRESSES),
  ReplyToAddresses: Addresses,
  Content: z.object({ Simple: Simple.optional(), Raw: z.object({ Data: bytes }).optional() }),
});
type SendEmail = z.infer<typeof SendEmail>;

const MAX_MIME = 40 * 1024 * 1024;

/** The mail goes to whoever runs the host: a mailbox page, or a real SMTP server. */
export const mailService = (onMail: OnMail, now: () => number): PathService => ({
  invalid: 'BadRequestException',
  routes: [
    {
      method: 'POST',
      path: /^\/v2\/email\/outbound-emails$/,
      run: async (_, { body }) => {
        const mail = toMail(SendEmail.parse(readJson(body)), now());
        await onMail(mail);
        return { MessageId: mail.id };
      },
    },
  ],
});

function toMail(input: SendEmail, sentAt: number): Mail {
  const content = contentOf(input.Content);
  const { ToAddresses: to, CcAddresses: cc, BccAddresses: bcc } = input.Destination;
  if (content.kind === 'simple' && !input.FromEmailAddress) throw refused('Missing required field FromEmailAddress.');
  if (content.kind === 'simple' && to.length + cc.length + bcc.length === 0)
    throw refused('The mail has no recipient.');
  if (content.kind === 'raw' && content.mime.length > MAX_MIME) throw refused('The mail is larger than 40 MB.');
  return {
    id: randomUUID(),
    sentAt,
    from: input.FromEmailAddress,
    to,
    cc,
    bcc,
    replyTo: input.ReplyToAddresses,
    content,
  };
}

function contentOf({ Simple, Raw }: SendEmail['Content']): Mail['content'] {
  if (Raw) return { kind: 'raw', mime: Raw.Data };
  if (!Simple) throw refused('Content must be Simple or Raw; templates are not hosted locally.');
  return {
    kind: 'simple',
    subject: Simple.Subject.Data,
    text: Simple.Body.Text?.Data,
    html: Simple.Body.Html?.Data,
    headers: Simple.Headers.map(({ Name, Value }) => ({ name: Name, value: Value })),
    attachments: Simple.Attachments.map((one) => ({
      name: one.FileName,
      type: one.ContentType,
      content: one.RawContent,
      contentId: one.ContentId,
    })),
  };
}

const refused = (message: string) => new AwsFault('BadRequestException', message);
