import type { CallEvent } from './event.ts';

/** The answer of the browser in the shape that plugins expect of this kind of question. */
export function toReply({ type }: Pick<CallEvent, 'type'>, answer: unknown): unknown {
  if (isFailure(answer)) return answer;
  switch (type) {
    case 'confirmation':
      return entryOf(answer) === true;
    case 'input':
      return toInputReply(entryOf(answer));
    case 'execute':
      return answer;
  }
}

const isFailure = (answer: unknown) =>
  typeof answer === 'object' && answer !== null && typeof Reflect.get(answer, 'error') === 'string';

/** Clients answer with the bare value or with it as an entry. */
const entryOf = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && 'value' in answer ? answer.value : answer;

/**
 * A text that is also its own `value` entry, so that plugins may read it either way; cancelling gives `false`. A copy of
 * it (to a worker, say) keeps only the text: make it anew there.
 */
export const toInputReply = (answer: unknown): unknown =>
  typeof answer === 'string' ? Object.assign(Object(answer) as object, { value: answer }) : answer;
