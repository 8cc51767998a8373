import { isObject, parseJson } from '../llm/json-value.ts';
import type { Message } from '../llm/turn.ts';
import { isText } from '../llm/parts.ts';

/** Small things a model does beside the reply. */
export type ChoreName = 'title' | 'tags' | 'follow_up';

interface Chore {
  /** What a request calls it in `background_tasks`. */
  readonly flag: 'title_generation' | 'tags_generation' | 'follow_up_generation';
  readonly setting: 'ENABLE_TITLE_GENERATION' | 'ENABLE_TAGS_GENERATION' | 'ENABLE_FOLLOW_UP_GENERATION';
  readonly task: string;
  readonly shape: string;
}

export const CHORES = {
  title: {
    flag: 'title_generation',
    setting: 'ENABLE_TITLE_GENERATION',
    task: 'Write a title of three to six words for this conversation, in the language of the conversation, without quotation marks.',
    shape: '{ "title": "…" }',
  },
  tags: {
    flag: 'tags_generation',
    setting: 'ENABLE_TAGS_GENERATION',
    task: 'Name one to three subjects of this conversation, each in one or two lower-case words, from broad to narrow.',
    shape: '{ "tags": ["…"] }',
  },
  follow_up: {
    flag: 'follow_up_generation',
    setting: 'ENABLE_FOLLOW_UP_GENERATION',
    task: 'Suggest three to five short questions that the user might ask next, in their own voice and language.',
    shape: '{ "follow_ups": ["…"] }',
  },
} as const satisfies Record<ChoreName, Chore>;

export const CHORE_NAMES = Object.keys(CHORES) as ChoreName[];

const LAST_MESSAGES = 6;
const LONGEST_MESSAGE = 2000;

/** The question that is put to the model; the conversation in it is cut to what the task needs. */
export function chorePrompt(name: ChoreName, messages: readonly Message[]): string {
  const { task, shape } = CHORES[name];
  return `${task}\nAnswer with this JSON and nothing else: ${shape}\n\n${chatHistory(messages)}`;
}

/** The end of a conversation, as a task for a model tells it. */
export function chatHistory(messages: readonly Message[]): string {
  const spoken = messages.filter(({ role }) => role === 'user' || role === 'assistant').slice(-LAST_MESSAGES);
  const history = spoken.map(
    (message) => `${message.role.toUpperCase()}: ${textOf(message).slice(0, LONGEST_MESSAGE)}`,
  );
  return `<chat_history>\n${history.join('\n')}\n</chat_history>`;
}

const textOf = ({ parts }: Message) =>
  parts
    .filter(isText)
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** What the model answered, out of whatever it wrote around the JSON; undefined when it did not do as told. */
export const readTitle = (answer: string): string | undefined => {
  const title = fieldIn(answer, 'title');
  return typeof title === 'string' && title.trim() !== '' ? title.trim().slice(0, 200) : undefined;
};

export const readTags = (answer: string) => textsIn(answer, 'tags')?.map((tag) => tag.slice(0, 100));
export const readFollowUps = (answer: string) => textsIn(answer, 'follow_ups');

const MOST_TEXTS = 10;

/** The texts of a list that a model was asked for. */
export function textsIn(answer: string, name: string): readonly string[] | undefined {
  const list = fieldIn(answer, name);
  if (!Array.isArray(list)) return undefined;
  const texts = list.filter((one) => typeof one === 'string').map((one) => one.trim());
  return texts.filter(Boolean).slice(0, MOST_TEXTS);
}

/** A field of the JSON that a model was asked for. */
export function fieldIn(answer: string, name: string): unknown {
  const parsed = parseJson(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
  return isObject(parsed) ? parsed[name] : undefined;
}
