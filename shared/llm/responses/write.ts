import type { ReplyHead } from '../protocol.ts';
import type { Fields } from '../turn.ts';
import type { TurnEvent, Usage } from '../turn-event.ts';
import { encodeResponse, type Standing } from './response.ts';
import { addToItem, closeItem, openItem, type Item } from './item.ts';

/** How far a responses stream has been written. */
export interface ResponsesWriting {
  readonly head: ReplyHead;
  readonly isOpen: boolean;
  readonly sequence: number;
  /** Items that are complete. */
  readonly output: readonly Fields[];
  readonly item?: Item;
  readonly usage?: Usage;
}

type Written = readonly [ResponsesWriting, string];
type Frame = Fields & { readonly type: string };

export const openResponses = (head: ReplyHead): ResponsesWriting => ({ head, isOpen: false, sequence: 0, output: [] });

export function writeResponses(state: ResponsesWriting, event: TurnEvent): Written {
  if (event.type === 'usage') return [{ ...state, usage: event.usage }, ''];
  if (event.type === 'extra' || event.type === 'tool_run') return [state, ''];
  if (state.isOpen) return said(state, event);
  const response = encodeResponse(state.head, { output: [] });
  const [opened, first] = send({ ...state, isOpen: true }, [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
  ]);
  const [next, frames] = said(opened, event);
  return [next, first + frames];
}

function said(state: ResponsesWriting, event: Exclude<TurnEvent, { type: 'usage' | 'extra' | 'tool_run' }>): Written {
  switch (event.type) {
    case 'text':
      return event.text ? addTo(openTo(state, 'message'), event.text) : [state, ''];
    case 'thinking':
      return event.text ? addTo(openTo(state, 'reasoning'), event.text) : [state, ''];
    case 'tool_start':
      return openTo(state, 'function_call', { id: event.id, name: event.name });
    case 'tool_delta':
      return addTo([state, ''], event.arguments);
    case 'tool_end':
      return close(state);
    case 'finish':
      return over(close(state), { finish: event.reason });
    case 'error':
      return over([state, ''], { error: event.error });
  }
}

/** Words go on in the item they began in; a call always opens one of its own. */
function openTo(state: ResponsesWriting, type: Item['type'], call?: Item['call']): Written {
  if (!call && state.item?.type === type) return [state, ''];
  const [closed, frames] = close(state);
  const [item, opening] = openItem({ type, replyId: state.head.id, index: closed.output.length, call });
  const [next, more] = send({ ...closed, item }, opening);
  return [next, frames + more];
}

function addTo([state, frames]: Written, piece: string): Written {
  if (!state.item) return [state, frames];
  const [item, delta] = addToItem(state.item, piece);
  const [next, more] = send({ ...state, item }, [delta]);
  return [next, frames + more];
}

function close(state: ResponsesWriting): Written {
  if (!state.item) return [state, ''];
  const [done, closing] = closeItem(state.item);
  return send({ ...state, item: undefined, output: [...state.output, done] }, closing);
}

function over([state, frames]: Written, { finish, error }: Pick<Standing, 'finish' | 'error'>): Written {
  const response = encodeResponse(state.head, { output: state.output, usage: state.usage, finish, error });
  const [next, last] = send(state, [{ type: `response.${String(response.status)}`, response }]);
  return [next, frames + last];
}

function send(state: ResponsesWriting, events: readonly Frame[]): Written {
  const frames = events.map(
    ({ type, ...fields }, at) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: state.sequence + at, ...fields })}\n\n`,
  );
  return [{ ...state, sequence: state.sequence + events.length }, frames.join('')];
}
