import type { Fields } from '../turn.ts';
import { callItem, itemId, messageItem, reasoningItem, summaryPart, textPart } from './response.ts';

/** One output item while it is being written. */
export interface Item {
  readonly type: 'reasoning' | 'message' | 'function_call';
  readonly id: string;
  readonly index: number;
  readonly text: string;
  readonly call: { readonly id: string; readonly name: string } | undefined;
}

type Frame = Fields & { readonly type: string };

interface Opening {
  readonly type: Item['type'];
  readonly replyId: string;
  readonly index: number;
  readonly call: Item['call'];
}

export function openItem({ type, replyId, index, call }: Opening): readonly [Item, readonly Frame[]] {
  const item = { type, id: itemId(type, replyId, index), index, text: '', call };
  const added = { type: 'response.output_item.added', output_index: index, item: wireItem(item) };
  const part = partFrame(item, 'added', '');
  return [item, part ? [added, part] : [added]];
}

export function addToItem(item: Item, piece: string): readonly [Item, Frame] {
  const delta = { ...place(item), type: `${EVENTS[item.type]}.delta`, delta: piece, ...logprobs(item) };
  return [{ ...item, text: item.text + piece }, delta];
}

export function closeItem(item: Item): readonly [Fields, readonly Frame[]] {
  const done = wireItem(item, item.text);
  const whole = item.type === 'function_call' ? { arguments: item.text } : { text: item.text };
  const text = { ...place(item), type: `${EVENTS[item.type]}.done`, ...whole, ...logprobs(item) };
  const part = partFrame(item, 'done', item.text);
  const last = { type: 'response.output_item.done', output_index: item.index, item: done };
  return [done, part ? [text, part, last] : [text, last]];
}

const EVENTS = {
  reasoning: 'response.reasoning_summary_text',
  message: 'response.output_text',
  function_call: 'response.function_call_arguments',
} as const satisfies Record<Item['type'], string>;

function wireItem({ type, id, call }: Item, text?: string): Fields {
  if (type === 'reasoning') return { id, ...reasoningItem(text) };
  if (type === 'message') return { id, ...messageItem(text) };
  return { id, ...callItem({ id: '', name: '', ...call, arguments: text }) };
}

/** Where in the response a piece of the item belongs. */
function place({ type, id, index }: Item): Fields {
  const at = { item_id: id, output_index: index };
  if (type === 'message') return { ...at, content_index: 0 };
  return type === 'reasoning' ? { ...at, summary_index: 0 } : at;
}

function partFrame(item: Item, moment: 'added' | 'done', text: string): Frame | undefined {
  if (item.type === 'message') return { ...place(item), type: `response.content_part.${moment}`, part: textPart(text) };
  if (item.type !== 'reasoning') return undefined;
  return { ...place(item), type: `response.reasoning_summary_part.${moment}`, part: summaryPart(text) };
}

const logprobs = ({ type }: Item) => (type === 'message' ? { logprobs: [] } : {});
