import { setImmediate as nextTurn } from 'node:timers/promises';
import { isText } from '../llm/parts.ts';
import type { Message, Turn } from '../llm/turn.ts';
import type { TurnEvent } from '../llm/turn-event.ts';
import type { Speak } from './speech.ts';

/**
 * A model that needs no network: it shows a new installation what works. The same question always gets the same answer.
 */
export const speakDemo: Speak = async (ask, signal) => {
  const turn = ask.turn();
  return {
    async listen(say) {
      for (const event of demoEvents(turn)) {
        if (signal.aborted) return;
        await say([event]);
        // Lets everyone else in between two words, as a real model would.
        if (event.type === 'text') await nextTurn();
      }
    },
  };
};

function* demoEvents(turn: Turn): Generator<TurnEvent> {
  const answer = answerTo(turn);
  const words = answer.split(/(?<=\s)/);
  const limit = turn.params.max_completion_tokens ?? turn.params.max_tokens ?? words.length;
  const said = words.slice(0, limit);
  for (const text of said) yield { type: 'text', text };
  yield { type: 'usage', usage: { input: countWords(turn), output: said.length } };
  yield { type: 'finish', reason: said.length < words.length ? 'length' : 'stop' };
}

function answerTo({ messages, responseFormat }: Turn): string {
  const question = lastQuestion(messages);
  const chore = CHORES.find(([asked]) => question.includes(asked));
  if (chore) return chore[1](question);
  if (responseFormat) return JSON.stringify({ answer: question });
  if (/\bmarkdown\b/i.test(question)) return MARKDOWN;
  if (question === '') return GREETING;
  return `You said: "${question}"\n\n${GREETING}`;
}

const textOf = ({ parts }: Message) =>
  parts
    .filter(isText)
    .map(({ text }) => text)
    .join('\n');

const lastQuestion = (messages: readonly Message[]) => {
  const last = messages.findLast(({ role }) => role === 'user');
  return last ? textOf(last).trim() : '';
};

const countWords = ({ system, messages }: Turn) =>
  [...system.map(({ text }) => text), ...messages.map(textOf)].join(' ').split(/\s+/).filter(Boolean).length;

const GREETING =
  'I am the built-in demo model. I answer without any network, word by word, and always the same. ' +
  'Ask an operator to connect a real model, or ask me for "markdown" to see how answers are shown.';

const MARKDOWN = `# Markdown

**Bold**, *italic*, \`code\` and a [link](https://example.com).

| Column | Another |
| --- | ---: |
| left | 1 |
| right | 2 |

\`\`\`ts
export const greet = (name: string) => \`Hello, \${name}\`;
\`\`\`

1. one
2. two

> A quotation.
`;

/** What the gateway itself asks of models, answered by rule so that titles appear without a real one. */
const CHORES: readonly (readonly [asked: string, answer: (prompt: string) => string])[] = [
  ['{ "title":', (prompt) => JSON.stringify({ title: firstWords(conversationIn(prompt), 5) || 'New chat' })],
  ['{ "tags":', () => JSON.stringify({ tags: ['demo'] })],
  [
    '{ "follow_ups":',
    () => JSON.stringify({ follow_ups: ['Show me some markdown', 'How do I connect a real model?'] }),
  ],
];

const firstWords = (text: string, count: number) => text.split(/\s+/).slice(0, count).join(' ');

const conversationIn = (prompt: string) => /<chat_history>\s*USER:\s*([^\n]*)/.exec(prompt)?.[1] ?? '';
