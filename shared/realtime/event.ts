import * as z from 'zod';
import { invalid } from '../errors.ts';

/**
 * What tools, functions, pipes and the service itself tell the user interface. Data is checked where the interface
 * names it and otherwise passes through as it came, since clients of several generations read these events.
 */
const event = <const T extends string, D extends z.ZodType>(type: T, data: D) =>
  z.object({ type: z.literal(type), data });

const Status = z.looseObject({
  description: z.string().optional(),
  done: z.boolean().optional(),
  hidden: z.boolean().optional(),
});
const Content = z.looseObject({ content: z.string() });
const Files = z.looseObject({ files: z.array(z.looseObject({})) });
const Embeds = z.looseObject({ embeds: z.array(z.string()), replace: z.boolean().optional() });
const Title = z.union([z.string(), z.looseObject({ title: z.string() })]);
const TagNames = z.array(z.string().trim().min(1).max(100)).max(100);
const Tags = z.union([TagNames, z.looseObject({ tags: TagNames })]);
/** A citation, or a run of code when `type` says so. */
const Source = z.looseObject({ type: z.string().optional() });
const Notification = z.looseObject({ type: z.enum(['info', 'success', 'warning', 'error']), content: z.string() });
const Script = z.looseObject({ code: z.string() });

/** What an external tool may send as well. */
const TOOL_EVENTS = [
  event('status', Status),
  event('notification', Notification),
  event('message', Content),
  event('chat:message:delta', Content),
  event('replace', Content),
  event('chat:message', Content),
  event('files', Files),
  event('chat:message:files', Files),
  event('embeds', Embeds),
  event('chat:message:embeds', Embeds),
  event('source', Source),
  event('citation', Source),
] as const;

const PLUGIN_EVENTS = [
  ...TOOL_EVENTS,
  event('chat:completion', z.looseObject({})),
  event('chat:title', Title),
  event('chat:tags', Tags),
  event('chat:message:favorite', z.looseObject({ favorite: z.boolean() })),
  event('execute', Script),
] as const;

/** What only the service itself says about a reply. */
const SERVICE_EVENTS = [
  event('chat:active', z.looseObject({ active: z.boolean() })),
  event('chat:tasks:cancel', z.looseObject({}).optional()),
  event('chat:message:error', z.looseObject({ error: z.unknown() })),
  event('chat:message:follow_ups', z.looseObject({ follow_ups: z.array(z.string()) })),
  event('chat:outlet', z.looseObject({})),
] as const;

const CALL_EVENTS = [
  event('confirmation', z.looseObject({ title: z.string().optional(), message: z.string().optional() })),
  event(
    'input',
    z.looseObject({
      title: z.string().optional(),
      message: z.string().optional(),
      placeholder: z.string().optional(),
      value: z.unknown().optional(),
      type: z.string().optional(),
    }),
  ),
  event('execute', Script),
] as const;

export const ToolEvent = z.discriminatedUnion('type', TOOL_EVENTS);
export type ToolEvent = z.output<typeof ToolEvent>;
export const UiEvent = z.discriminatedUnion('type', [...PLUGIN_EVENTS, ...SERVICE_EVENTS]);
export type UiEvent = z.output<typeof UiEvent>;
export const CallEvent = z.discriminatedUnion('type', CALL_EVENTS);
export type CallEvent = z.output<typeof CallEvent>;

export const TOOL_EVENT_TYPES: readonly string[] = TOOL_EVENTS.map(({ shape }) => shape.type.value);
export const CALL_EVENT_TYPES: readonly string[] = CALL_EVENTS.map(({ shape }) => shape.type.value);

/** An event as it travels: the service adds which message of which chat it belongs to. */
export const RoutedEvent = z.object({
  chat_id: z.string(),
  message_id: z.string(),
  data: z.object({ type: z.string(), data: z.unknown().optional() }),
});
export type RoutedEvent = z.output<typeof RoutedEvent>;

/** Whoever writes a plugin learns what is wrong with an event instead of wondering why nothing shows. */
export function parseEvent<S extends z.ZodType>(schema: S, given: unknown, where: readonly string[] = ['event']) {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw invalid(
    result.error.issues.map(({ code, path, message }) => ({
      type: code,
      loc: [...where, ...path.map((part) => (typeof part === 'symbol' ? String(part) : part))],
      msg: message,
    })),
  );
}
