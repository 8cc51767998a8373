import type { UserActor } from '../identity/actor.ts';

/** Everything a header template can say. There is none for a key, a token or a session. */
export const PLACEHOLDERS = ['USER_ID', 'USER_NAME', 'USER_EMAIL', 'USER_ROLE', 'CHAT_ID', 'MESSAGE_ID'] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];

export interface Caller {
  readonly actor: Pick<UserActor, 'userId' | 'name' | 'email' | 'role'>;
  readonly chatId?: string;
  readonly messageId?: string;
}

const PATTERN = /\{\{([^{}]*)\}\}/g;

/** The first placeholder of a template that does not exist. */
export const strangeIn = (template: string): string | undefined =>
  [...template.matchAll(PATTERN)].map(([, name = '']) => name).find((name) => !isPlaceholder(name));

const isPlaceholder = (name: string): name is Placeholder => PLACEHOLDERS.some((one) => one === name);

/** What the operator wants sent, with who asks and where filled in. */
export function filledHeaders(headers: Readonly<Record<string, string>>, caller: Caller): Record<string, string> {
  const facts = factsOf(caller);
  const fill = (value: string) =>
    value.replaceAll(PATTERN, (whole, name: string) => (isPlaceholder(name) ? forHeader(facts[name]) : whole));
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), fill(value)]));
}

const factsOf = ({ actor, chatId = '', messageId = '' }: Caller): Readonly<Record<Placeholder, string>> => ({
  USER_ID: actor.userId,
  USER_NAME: actor.name,
  USER_EMAIL: actor.email,
  USER_ROLE: actor.role,
  CHAT_ID: chatId,
  MESSAGE_ID: messageId,
});

/** Header values are one line of Latin letters; anything else travels percent-encoded. */
export const forHeader = (text: string) => (/^[\x20-\x7e]*$/.test(text) ? text : encodeURIComponent(text));
