import * as z from 'zod';
import { MAX_FIELDS, MessageId, MessagePatch, NewMessage } from './message.ts';

/** The chat object as callers send it. Unknown fields are kept. */

const fields = {
  title: z.string(),
  models: z.array(z.string()),
  messages: z.array(z.looseObject({})),
  files: z.array(z.unknown()),
  tags: z.array(z.unknown()),
  params: z.looseObject({}),
  timestamp: z.int().min(0),
};

const hasOwnIds = (messages: Readonly<Record<string, { readonly id?: string }>>) =>
  Object.entries(messages).every(([key, message]) => message.id === undefined || message.id === key);
const OWN_IDS = 'Each message stands under its own id';

const isReasonable = (chat: object) => Object.keys(chat).length <= MAX_FIELDS;
const REASONABLE = `At most ${MAX_FIELDS} fields`;

const NewHistory = z
  .looseObject({
    currentId: MessageId.nullable(),
    messages: z.record(z.string(), NewMessage).refine(hasOwnIds, OWN_IDS),
  })
  .superRefine(({ currentId, messages }, context) => {
    const isEmpty = Object.keys(messages).length === 0;
    const isKnown = currentId === null ? isEmpty : Object.hasOwn(messages, currentId);
    if (!isKnown) context.addIssue({ code: 'custom', path: ['currentId'], message: NO_SUCH_MESSAGE });
  });

export const NO_SUCH_MESSAGE = 'There is no message with this id in the history';

export const NewChat = z
  .looseObject({
    ...fields,
    history: NewHistory,
    files: fields.files.default([]),
    tags: fields.tags.default([]),
    params: fields.params.default({}),
    timestamp: fields.timestamp.optional(),
  })
  .refine(isReasonable, REASONABLE);
export type NewChat = z.output<typeof NewChat>;

export const ChatPatch = z
  .looseObject({
    ...fields,
    history: z
      .looseObject({
        currentId: MessageId.nullable(),
        messages: z.record(MessageId, MessagePatch.refine(isReasonable, REASONABLE)).refine(hasOwnIds, OWN_IDS),
      })
      .partial(),
  })
  .partial()
  .refine(isReasonable, REASONABLE);
export type ChatPatch = z.output<typeof ChatPatch>;
