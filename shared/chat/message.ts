import * as z from 'zod';

/** Messages are open-ended: what the interface names is checked, everything else passes through as it came. */

const LATEST_SECONDS = 99_999_999_999;

/** A millisecond value would be a date in the 33rd century or later, so it is told apart for certain. */
const Timestamp = z.int().min(0).max(LATEST_SECONDS, 'Message timestamps are Unix seconds, not milliseconds');

/** The caller makes the ids; they must be UUIDs so that no two clients choose the same. */
export const MessageId = z.uuidv4();

const common = {
  role: z.string().min(1),
  content: z.string(),
  timestamp: Timestamp,
  childrenIds: z.array(MessageId),
};

const UserMessage = z.looseObject({ models: z.array(z.string()), parentId: MessageId.nullish() });
const AssistantMessage = z.looseObject({
  parentId: MessageId,
  model: z.string(),
  modelName: z.string(),
  modelIdx: z.int().min(0),
  done: z.boolean().optional(),
});
const OtherMessage = z.looseObject({ parentId: MessageId.nullish() });

const byRole = (role: string) =>
  role === 'user' ? UserMessage : role === 'assistant' ? AssistantMessage : OtherMessage;

/** A message that is not stored yet: it must be complete. */
export const NewMessage = z.looseObject({ id: MessageId, ...common }).superRefine((message, context) => {
  const result = byRole(message.role).safeParse(message);
  for (const issue of result.error?.issues ?? []) context.addIssue({ ...issue });
});
export type NewMessage = z.output<typeof NewMessage>;

/** What a save sends of a message that may be stored already: any part of it. */
export const MessagePatch = z
  .looseObject({
    id: MessageId,
    ...common,
    parentId: MessageId.nullable(),
    models: z.array(z.string()),
    model: z.string(),
    modelName: z.string(),
    modelIdx: z.int().min(0),
    done: z.boolean(),
  })
  .partial();
export type MessagePatch = z.output<typeof MessagePatch>;

/** DynamoDB takes no more in one expression, and no client has a reason to come near it. */
export const MAX_FIELDS = 150;
