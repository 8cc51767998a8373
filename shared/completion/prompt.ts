import type { TextPart, Turn } from '../llm/turn.ts';
import type { Millis } from '../time.ts';

export type Variables = Readonly<Record<string, string | number | boolean | null>>;

export interface Author {
  readonly name: string;
  readonly email: string;
  readonly groups: readonly string[];
}

export interface PromptParts {
  /** What the model, its folder and the caller's settings put in front of the conversation, in this order. */
  readonly system: readonly string[];
  readonly variables: Variables;
  readonly author: Author;
  readonly now: Millis;
}

/** The turn with its whole system prompt, all placeholders filled. Only system text is touched: the rest are people's words. */
export function withPrompt(turn: Turn, { system, ...values }: PromptParts): Turn {
  const added = system.filter((text) => text.trim() !== '').map((text): TextPart => ({ type: 'text', text }));
  const parts = joined(added, turn.system);
  const fill = filler(values);
  return { ...turn, system: parts.map((part) => ({ ...part, text: fill(part.text) })) };
}

/** Texts that stand before a plain system text become one with it, as small models heed only one. */
function joined(added: readonly TextPart[], own: readonly TextPart[]): readonly TextPart[] {
  const all = [...added, ...own];
  if (added.length === 0 || all.some(({ extra }) => extra)) return all;
  return [{ type: 'text', text: all.map(({ text }) => text).join('\n') }];
}

/** Whether a text has a placeholder that would be filled. */
export const hasPlaceholder = (text: string) => text.includes('{{');

function filler({ variables, author, now }: Omit<PromptParts, 'system'>) {
  const given = Object.entries(variables).filter(([name]) => name !== '');
  const builtIn = Object.entries(builtIns(author, now));
  return (text: string) => {
    if (!hasPlaceholder(text) && given.length === 0) return text;
    // The caller's own values first: they may know better what time it is where the user sits.
    return [...given, ...builtIn].reduce(
      (filled, [name, value]) => filled.replaceAll(name, () => String(value ?? '')),
      text,
    );
  };
}

function builtIns({ name, email, groups }: Author, now: Millis): Readonly<Record<string, string>> {
  const iso = new Date(now).toISOString();
  const [date, time] = [iso.slice(0, 10), iso.slice(11, 19)];
  const weekday = WEEKDAYS[new Date(now).getUTCDay()] ?? UNKNOWN;
  return {
    '{{CURRENT_DATE}}': date,
    '{{CURRENT_TIME}}': time,
    '{{CURRENT_DATETIME}}': `${date} ${time}`,
    '{{CURRENT_WEEKDAY}}': weekday,
    '{{CURRENT_TIMEZONE}}': 'UTC',
    '{{USER_NAME}}': name,
    '{{USER_EMAIL}}': email,
    '{{USER_GROUPS}}': groups.join(', ') || UNKNOWN,
    '{{USER_LANGUAGE}}': UNKNOWN,
    '{{USER_BIO}}': UNKNOWN,
    '{{USER_GENDER}}': UNKNOWN,
    '{{USER_BIRTH_DATE}}': UNKNOWN,
    '{{USER_AGE}}': UNKNOWN,
    '{{USER_LOCATION}}': UNKNOWN,
  };
}

const UNKNOWN = 'Unknown';
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
