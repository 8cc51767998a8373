import { chatHistory, fieldIn, textsIn } from '../completion/chore.ts';
import { isObject } from '../llm/json-value.ts';
import { isText } from '../llm/parts.ts';
import type { Fields, Message } from '../llm/turn.ts';
import type { Tool } from './tool.ts';

/** A call that was chosen for a model that cannot make any itself. */
export interface Choice {
  readonly name: string;
  readonly args: Fields;
}

const MOST_CALLS = 10;
const MOST_QUERIES = 3;

export function choicePrompt(tools: ReadonlyMap<string, Tool>, messages: readonly Message[]): string {
  const specs = [...tools].map(([name, { description, parameters }]) => ({ name, description, parameters }));
  return [
    'Choose the tools that are needed to answer the last message of this conversation, and their parameters.',
    'Choose none when the answer needs none.',
    'Answer with this JSON and nothing else: { "tool_calls": [{ "name": "…", "parameters": { } }] }',
    `\n<tools>\n${JSON.stringify(specs)}\n</tools>\n`,
    chatHistory(messages),
  ].join('\n');
}

/** What the model has chosen. A model that answers in words has chosen nothing, and so has one that invents a tool. */
export function readChoices(answer: string, tools: ReadonlyMap<string, Tool>): Choice[] {
  const listed = fieldIn(answer, 'tool_calls');
  const single = { name: fieldIn(answer, 'name'), parameters: fieldIn(answer, 'parameters') };
  return (Array.isArray(listed) ? listed : [single])
    .filter(isObject)
    .flatMap(({ name, parameters }) =>
      typeof name === 'string' && tools.has(name) ? [{ name, args: isObject(parameters) ? parameters : {} }] : [],
    )
    .slice(0, MOST_CALLS);
}

export const queryPrompt = (messages: readonly Message[]): string =>
  [
    'Write one to three short queries for a web search that finds what is needed to answer the last message of this conversation.',
    'Answer with this JSON and nothing else: { "queries": ["…"] }',
    `\n${chatHistory(messages)}`,
  ].join('\n');

/** A model that does not do as told has the question itself searched for. */
export function readQueries(answer: string, messages: readonly Message[]): readonly string[] {
  const queries = textsIn(answer, 'queries')?.slice(0, MOST_QUERIES) ?? [];
  return queries.length > 0 ? queries : [lastQuestion(messages)].filter(Boolean);
}

const lastQuestion = (messages: readonly Message[]) =>
  (messages.findLast(({ role }) => role === 'user')?.parts ?? [])
    .filter(isText)
    .map(({ text }) => text)
    .join(' ')
    .trim()
    .slice(0, 400);
