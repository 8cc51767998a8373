import { listAt, stringAt } from '../../shared/llm/json-value.ts';
import type { ChatMessage } from '../../shared/llm/chat/message.ts';
import { soundArguments } from '../../shared/llm/tool-arguments.ts';
import type { Fields } from '../../shared/llm/turn.ts';

/** A stored message as a model is shown it: what it once called, and what came of that, stand where they were. */
export function toPrompt(message: Fields): ChatMessage[] {
  const text = withoutDetails(stringAt(message, 'content') ?? '');
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: userContent(text, listAt(message, 'files')) }];
    case 'assistant':
      return assistantMessages(text, listAt(message, 'output'));
    case 'system':
      return [{ role: 'system', content: text }];
    default:
      return [];
  }
}

/** Older clients wrote thinking and calls into the text itself; models would learn to imitate it. */
const withoutDetails = (text: string) =>
  text.replaceAll(/<details\b[^>]*\btype="(?:reasoning|tool_calls|code_interpreter)"[\s\S]*?<\/details>\s*/g, '');

function userContent(text: string, files: readonly Fields[]): ChatMessage['content'] {
  const images = files.flatMap(({ type, url }) =>
    type === 'image' && typeof url === 'string' && /^(data:|https?:)/.test(url) ? [url] : [],
  );
  if (images.length === 0) return text;
  return [{ type: 'text', text }, ...images.map((url) => ({ type: 'image_url', image_url: { url } }))];
}

function assistantMessages(text: string, output: readonly Fields[]): ChatMessage[] {
  const rounds = roundsOf(output);
  const isWhole = squeezed(output.map(wordsOf).join('')) === squeezed(text);
  const worked = rounds.flatMap((round) => roundMessages(isWhole ? round : { ...round, words: '' }));
  const last = isWhole ? (rounds.findLast(({ outcomes }) => outcomes.length === 0)?.words ?? '') : text;
  return last === '' && worked.length > 0 ? worked : [...worked, { role: 'assistant', content: last }];
}

interface Round {
  readonly words: string;
  readonly calls: readonly Fields[];
  readonly outcomes: readonly Fields[];
}

const NOTHING: Round = { words: '', calls: [], outcomes: [] };

/** Words, then calls, then their results; whatever follows a result begins another round. */
function roundsOf(output: readonly Fields[]): Round[] {
  return output.reduce<Round[]>((rounds, item) => {
    const last = rounds.at(-1);
    const isOver = last === undefined || (last.outcomes.length > 0 && !isOutcome(item));
    return isOver ? [...rounds, addItem(NOTHING, item)] : rounds.with(-1, addItem(last, item));
  }, []);
}

function addItem(round: Round, item: Fields): Round {
  if (isOutcome(item)) return { ...round, outcomes: [...round.outcomes, item] };
  if (item.type === 'function_call') return { ...round, calls: [...round.calls, item] };
  return { ...round, words: round.words + wordsOf(item) };
}

/** A call that was stopped has no result, and servers refuse one without the other. */
function roundMessages({ words, calls, outcomes }: Round): ChatMessage[] {
  const isPaired = (one: Fields, others: readonly Fields[]) => others.some(({ call_id }) => call_id === one.call_id);
  const answered = calls.filter((call) => isPaired(call, outcomes));
  if (answered.length === 0) return [];
  const results = outcomes.filter((outcome) => isPaired(outcome, answered));
  return [
    { role: 'assistant', content: words, tool_calls: answered.map(toCall) },
    ...results.map((one) => ({
      role: 'tool',
      tool_call_id: String(one.call_id),
      content: textOf(one, 'output'),
    })),
  ];
}

const isOutcome = ({ type }: Fields): boolean => type === 'function_call_output';

const wordsOf = (item: Fields) => (item.type === 'message' ? textOf(item, 'content') : '');

const textOf = (item: Fields, key: string) =>
  listAt(item, key)
    .map((part) => stringAt(part, 'text') ?? '')
    .join('');

/** A person or a filter may have changed the text since; then it says more than its parts. */
const squeezed = (text: string) => text.replaceAll(/\s+/g, '');

const toCall = (item: Fields) => ({
  id: String(item.call_id),
  type: 'function',
  function: { name: String(item.name), arguments: soundArguments(String(item.arguments)) },
});
