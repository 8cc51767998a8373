import { parseJson } from '../json-value.ts';
import { startChat, stepChat } from './step.ts';

/** The text of a line that says nothing else, or the line parsed (undefined when it is not JSON). */
export type DeltaLine = { readonly text: string } | { readonly chunk: unknown };

/** What stands around the text of a stream's deltas, and around the padding of servers that hide line lengths. */
interface Frame {
  readonly before: string;
  readonly after: string;
  readonly afterPadding?: string;
}

/** Lines of some servers differ in more than the text; after this many useless frames no more are learnt. */
const TRIES = 4;

/**
 * Reads chat-completions chunks without parsing most of them. In one stream the text deltas are the same line but
 * for the text, so one is parsed and remembered as a frame; a line that fits the frame around a text free of quotes
 * and backslashes can only mean that text. Everything else (escapes, tool calls, usage, errors, the end) is parsed.
 */
export function createDeltaReader(): (data: string) => DeltaLine {
  let frame: Frame | undefined;
  let tries = 0;
  return (data) => {
    const text = frame && readText(frame, data);
    if (text !== undefined) {
      tries = 0;
      return { text };
    }
    const chunk = data === '[DONE]' ? data : parseJson(data);
    const learnt = tries < TRIES ? learnFrame(data, chunk) : undefined;
    if (learnt) tries += 1;
    frame = learnt ?? frame;
    return { chunk };
  };
}

/** Pieces are cut out and compared, which is several times faster than asking what a string starts with. */
function readText({ before, after, afterPadding }: Frame, data: string): string | undefined {
  const start = before.length;
  if (data.slice(0, start) !== before) return undefined;
  const end = data.indexOf('"', start);
  const tail = end + after.length;
  if (end === -1 || data.slice(end, tail) !== after || !endsAt(data, tail, afterPadding)) return undefined;
  const text = data.slice(start, end);
  return text.includes('\\') ? undefined : text;
}

function endsAt(data: string, tail: number, afterPadding: string | undefined): boolean {
  if (afterPadding === undefined) return tail === data.length;
  const end = data.indexOf('"', tail);
  return end !== -1 && data.slice(end) === afterPadding && !data.slice(tail, end).includes('\\');
}

const CONTENT = /"content":\s*"/;
const PADDING = '"obfuscation":"';
const PROBE = 'probe';

/** A frame counts only when another text put into it reads as that text and nothing else. */
function learnFrame(data: string, chunk: unknown): Frame | undefined {
  const text = onlyText(chunk);
  const found = text === undefined ? null : CONTENT.exec(data);
  if (text === undefined || !found) return undefined;
  const start = found.index + found[0].length;
  const before = data.slice(0, start);
  const rest = data.slice(start + text.length);
  if (!data.startsWith(text, start) || onlyText(parseJson(before + PROBE + rest)) !== PROBE) return undefined;
  const padding = rest.indexOf(PADDING);
  if (padding === -1) return { before, after: rest };
  const padded = padding + PADDING.length;
  return { before, after: rest.slice(0, padded), afterPadding: rest.slice(rest.indexOf('"', padded)) };
}

function onlyText(chunk: unknown): string | undefined {
  const [state, [event, ...more]] = stepChat(startChat(''), chunk);
  return event?.type === 'text' && more.length === 0 && !state.finish ? event.text : undefined;
}
