import * as z from 'zod';
import { AppError } from '../errors.ts';
import { ChatRequest } from '../llm/chat/request.ts';
import { isObject, without } from '../llm/json-value.ts';
import type { Fields } from '../llm/turn.ts';

const Id = z.string().min(1).max(128);

/** What this gateway reads of a chat completion besides what it hands on to the model. */
export const CompletionRequest = ChatRequest.extend({
  chat_id: Id.nullish(),
  id: Id.nullish(),
  session_id: Id.nullish(),
  background_tasks: z
    .looseObject({
      title_generation: z.boolean().nullish(),
      tags_generation: z.boolean().nullish(),
      follow_up_generation: z.boolean().nullish(),
    })
    .nullish(),
  variables: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).nullish(),
  params: z.looseObject({}).nullish(),
  features: z.looseObject({}).nullish(),
  filter_ids: z.array(z.string()).nullish(),
  tool_ids: z.array(z.string()).nullish(),
  files: z.array(z.looseObject({})).nullish(),
  /** The question of a stored chat: its conversation is then read there and not from `messages`. */
  user_message: z.looseObject({ id: Id.nullish() }).nullish(),
});
export type CompletionRequest = z.output<typeof CompletionRequest>;

/** What callers of other formats may ask of the gateway in the same words. */
export const GatewayFields = CompletionRequest.pick({
  chat_id: true,
  id: true,
  session_id: true,
  variables: true,
  params: true,
  features: true,
  filter_ids: true,
  tool_ids: true,
  files: true,
});
export type GatewayFields = z.output<typeof GatewayFields>;

/** Never shown to a model: they steer the gateway. */
const OWN = [
  'chat_id',
  'id',
  'session_id',
  'background_tasks',
  'variables',
  'params',
  'features',
  'filter_ids',
  'tool_ids',
  'files',
  'folder_id',
  'parent_id',
  'user_message',
  'message_ids',
  'model_item',
  'tool_servers',
  'skill_ids',
  'terminal_id',
] as const;
const OWN_NAMES: ReadonlySet<string> = new Set(OWN);

/** The request as a model may see it. Some servers take `Model` for `model`, so no other spelling may pass. */
export const forModel = (body: CompletionRequest): ChatRequest =>
  // Only optional fields are taken out, which fromEntries cannot know.
  Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) =>
        value !== undefined && !OWN_NAMES.has(name) && (name === 'model' || name.toLowerCase() !== 'model'),
    ),
  ) as ChatRequest;

/** Whatever of a request's unknown fields a model may see. */
export const withoutOwn = (fields: Fields): Fields => (hasOwnFields(fields) ? (without(fields, OWN) ?? {}) : fields);

export const hasOwnFields = (body: Fields) => OWN.some((name) => body[name] !== undefined);

/** What a request can ask of plugins, of retrieval or of a client's own extensions. */
const EXTENSIONS = [
  'tool_ids',
  'filter_ids',
  'features',
  'files',
  'tool_servers',
  'skill_ids',
  'terminal_id',
  'message_ids',
] as const;
export type Extension = (typeof EXTENSIONS)[number];

/**
 * Refuses what nobody here would carry out, rather than answering as if it had not been asked for. Tools that the caller
 * brings along take the place of the server's, so then `tool_ids` asks for nothing.
 */
export function refuseExtensions(body: Fields, offered: ReadonlySet<Extension>): void {
  const isWanted = (name: Extension) => asksFor(body, name) && !(name === 'tool_ids' && body.tools != null);
  const missing = EXTENSIONS.find((name) => isWanted(name) && !offered.has(name));
  if (missing === undefined) return;
  throw new AppError('not_available', `"${missing}" is not available on this installation`, {
    facts: { param: missing },
  });
}

function asksFor(body: Fields, name: Extension): boolean {
  const value = body[name];
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.values(value).some((one) => one !== false && one != null);
  return value != null && value !== '' && value !== false;
}
