import { chatError } from '../model-error.ts';
import type { ReplyHead } from '../protocol.ts';
import type { Fields } from '../turn.ts';
import type { TurnEvent, Usage } from '../turn-event.ts';
import { encodeChatUsage } from './usage.ts';

/** How far a chat-completions stream has been written. */
export interface ChatWriting {
  readonly base: Fields;
  readonly wantsUsage: boolean;
  readonly usage?: Usage;
  readonly isOpen: boolean;
  /** What stands before the text of a delta: the same for every one, so it is printed once. */
  readonly beforeText: string;
}

type Written = readonly [ChatWriting, string];

const DONE = 'data: [DONE]\n\n';
const AFTER_TEXT = '},"logprobs":null,"finish_reason":null}]}\n\n';

export function openChat(head: ReplyHead): ChatWriting {
  const base = chatBase(head, 'chat.completion.chunk');
  const beforeText = `data: ${JSON.stringify(base).slice(0, -1)},"choices":[{"index":0,"delta":{"content":`;
  return { base, wantsUsage: head.wantsUsage ?? false, isOpen: false, beforeText };
}

export function writeChat(state: ChatWriting, event: TurnEvent): Written {
  if (event.type === 'error') return [state, `${frame(chatError(event.error))}${DONE}`];
  if (event.type === 'usage') return [{ ...state, usage: event.usage }, ''];
  if (event.type === 'extra') return [state, frame({ ...state.base, ...event.fields, choices: [] })];
  if (event.type === 'tool_run') return [state, ''];
  if (state.isOpen) return [state, said(state, event)];
  const hasText = event.type === 'text' || event.type === 'finish';
  const role = delta(state.base, { role: 'assistant', content: hasText ? '' : null });
  return [{ ...state, isOpen: true }, role + said(state, event)];
}

function said(
  state: ChatWriting,
  event: Exclude<TurnEvent, { type: 'error' | 'usage' | 'extra' | 'tool_run' }>,
): string {
  switch (event.type) {
    case 'text':
      return event.text ? state.beforeText + JSON.stringify(event.text) + AFTER_TEXT : '';
    case 'thinking':
      return event.text ? delta(state.base, { reasoning_content: event.text }) : '';
    case 'tool_start': {
      const { index, id, name } = event;
      return delta(state.base, { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
    }
    case 'tool_delta':
      return delta(state.base, { tool_calls: [{ index: event.index, function: { arguments: event.arguments } }] });
    case 'tool_end':
      return '';
    case 'finish':
      return delta(state.base, {}, event.reason) + usageFrame(state) + DONE;
  }
}

const usageFrame = ({ base, usage, wantsUsage }: ChatWriting) =>
  usage && wantsUsage ? frame({ ...base, choices: [], usage: encodeChatUsage(usage) }) : '';

const delta = (base: Fields, content: Fields, finish: string | null = null) =>
  frame({ ...base, choices: [{ index: 0, delta: content, logprobs: null, finish_reason: finish }] });

const frame = (value: Fields) => `data: ${JSON.stringify(value)}\n\n`;

export const chatBase = ({ id, created, model }: ReplyHead, object: string) => ({
  id: `chatcmpl-${id}`,
  object,
  created,
  model,
});
