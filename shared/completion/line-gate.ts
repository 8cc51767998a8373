/**
 * Lets whole lines of a chat-completions stream through. The beginning of a line waits for its end, so that a
 * keep-alive comment can never fall into one; the end marker waits until it is asked for, because whoever reads it may
 * look at the stored chat at once.
 */
export interface LineGate {
  /** What of this chunk, and of what waited before, may go on now. */
  take(chunk: Buffer): Buffer;
  /** Everything that still waits. */
  rest(): Buffer;
  hasEnded(): boolean;
}

const LINE_END = 10;
const RETURN = 13;
const END_OF_OBJECT = 125;
const NOTHING = Buffer.alloc(0);
/** The marker is a line of its own, and JSON has no line breaks. */
const MARK = Buffer.from('data: [DONE]');
const MARK_AFTER_LINE = Buffer.concat([Buffer.from('\n'), MARK]);

export function createLineGate(): LineGate {
  let waiting: Buffer[] = [];
  let hasEnded = false;
  return {
    take(chunk) {
      const end = hasEnded ? 0 : chunk.lastIndexOf(LINE_END) + 1;
      if (end === 0) {
        waiting.push(chunk);
        return NOTHING;
      }
      const lines = chunk.subarray(0, end);
      const whole = waiting.length > 0 ? Buffer.concat([...waiting, lines]) : lines;
      const mark = findMark(whole);
      hasEnded = mark !== -1;
      const open = hasEnded ? whole.subarray(0, mark) : whole;
      waiting = [whole.subarray(open.length), chunk.subarray(end)].filter(({ length }) => length > 0);
      return open;
    },
    rest() {
      const rest = Buffer.concat(waiting);
      waiting = [];
      return rest;
    },
    hasEnded: () => hasEnded,
  };
}

/** Lines come whole, so the marker stands at the very start or after a line's end. Nothing comes after it but empty lines. */
function findMark(lines: Buffer): number {
  if (lastSign(lines) === END_OF_OBJECT) return -1;
  if (lines.subarray(0, MARK.length).equals(MARK)) return 0;
  const at = lines.indexOf(MARK_AFTER_LINE);
  return at === -1 ? -1 : at + 1;
}

/** Most lines end an object, and one look at that spares searching them. */
function lastSign(lines: Buffer): number | undefined {
  let at = lines.length - 1;
  while (lines[at] === LINE_END || lines[at] === RETURN) at -= 1;
  return lines[at];
}
