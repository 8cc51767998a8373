import type { Reply, Work } from '../llm/reply.ts';
import type { Fields } from '../llm/turn.ts';

type Worked = Reply & { readonly work: readonly Work[] };

/** The items of a reply on whose way the gateway has run tools: words, calls and results in the order they came. */
export function workedItems(reply: Worked, messageId: string, status: string): readonly Fields[] {
  const items: Fields[] = [];
  const answered = new Set(reply.work.flatMap((one) => (one.type === 'outcome' ? [one.call] : [])));
  const idOf = (kind: string) => `${kind}_${messageId}_${items.length}`;
  const said = { text: 0, thinking: 0 };
  const sayUpTo = (text: number, thinking: number) => {
    const [thought, words] = [reply.thinking.slice(said.thinking, thinking), reply.text.slice(said.text, text).trim()];
    if (thought) items.push({ type: 'reasoning', id: idOf('rs'), status, content: parts(thought), summary: null });
    if (words) items.push({ type: 'message', id: idOf('msg'), status, role: 'assistant', content: parts(words) });
    said.text = text;
    said.thinking = thinking;
  };
  for (const one of reply.work) {
    if (one.type === 'call') {
      sayUpTo(one.textBefore, one.thinkingBefore);
      items.push(callItem(idOf('fc'), one.call, answered.has(one.call) ? 'completed' : unanswered(status)));
    } else items.push(outcomeItem(idOf('fco'), one));
  }
  sayUpTo(reply.text.length, reply.thinking.length);
  return [...items, ...reply.toolCalls.map((call) => callItem(`fc_${call.id}`, call, status))];
}

const parts = (text: string) => [{ type: 'output_text', text }];

/** Nobody waits any more for a result that is missing in the end. */
const unanswered = (status: string) => (status === 'completed' ? 'incomplete' : status);

const callItem = (id: string, { id: call_id, name, arguments: json }: CallOf, status: string): Fields => ({
  type: 'function_call',
  id,
  call_id,
  name,
  arguments: json,
  status,
});
type CallOf = Work['call'];

const outcomeItem = (id: string, { call, result }: Extract<Work, { type: 'outcome' }>): Fields => ({
  type: 'function_call_output',
  id,
  call_id: call.id,
  output: [{ type: 'input_text', text: result.isError ? `Error: ${result.text}` : result.text }],
  status: 'completed',
});
