import * as z from 'zod';

/** What every route of a chat has in common. */
export const owned = { auth: 'user', transport: 'stream' } as const;

/** A whole chat. It is written piece by piece, so this describes it and is not applied to it. */
export const ChatAnswer = z.looseObject({
  id: z.string(),
  user_id: z.string(),
  title: z.string(),
  chat: z.looseObject({
    title: z.string(),
    models: z.array(z.string()),
    currentId: z.string().nullable(),
    messages: z.array(z.looseObject({ id: z.string() })),
    history: z.looseObject({
      currentId: z.string().nullable(),
      messages: z.record(z.string(), z.looseObject({ id: z.string(), childrenIds: z.array(z.string()) })),
    }),
  }),
  updated_at: z.int(),
  created_at: z.int(),
  share_id: z.string().nullable(),
  archived: z.boolean(),
  pinned: z.boolean(),
  folder_id: z.string().nullable(),
  meta: z.looseObject({ tags: z.array(z.string()).optional() }),
});

/** A chat without its messages, for answers that would otherwise repeat them. */
export const ChatHead = ChatAnswer.omit({ chat: true });

export const ChatTitle = z.object({
  id: z.string(),
  title: z.string(),
  updated_at: z.int(),
  created_at: z.int(),
  snippet: z.string().optional(),
});

export const Titles = z.array(ChatTitle);
export const Done = z.literal(true);
export const page = z.coerce.number().int().min(1).max(10_000);

/** `true`, `True`, `1`: how the clients of this API family write it. */
export const flag = z.stringbool();
