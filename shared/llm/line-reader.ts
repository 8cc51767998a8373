import { AppError } from '../errors.ts';

const LF = 10;
const CR = 13;
const BOM = Buffer.from('\uFEFF');

/** Enough for a generated image in one event; past it an upstream is broken or hostile. */
const LONGEST_LINE = 32 * 1024 * 1024;

/** Takes one line: the bytes from `from` up to `to`, its line break left out. */
export type OnLine = (bytes: Buffer, from: number, to: number) => void;

/**
 * Cuts a byte stream into lines at LF, CRLF or CR, wherever the chunks happen to be split. A line inside one chunk
 * is handed on where it lies; only a line that spans chunks is joined first. Because nothing is decoded before a
 * line is whole, a character split between chunks needs no care. Chunks must not be changed after they were pushed.
 */
export function createLineReader(onLine: OnLine, longest = LONGEST_LINE) {
  const unfinished = createUnfinished(longest);
  let afterCr = false;
  let isFirst = true;

  const emit = (bytes: Buffer, from: number, to: number) => {
    const hasMark = isFirst && bytes.subarray(from, from + BOM.length).equals(BOM);
    isFirst = false;
    onLine(bytes, hasMark ? from + BOM.length : from, to);
  };

  return {
    push(chunk: Uint8Array): void {
      if (chunk.length === 0) return;
      const bytes = asBuffer(chunk);
      let from = afterCr && bytes[0] === LF ? 1 : 0;
      let lf = bytes.indexOf(LF, from);
      let cr = bytes.indexOf(CR, from);
      while (lf !== -1 || cr !== -1) {
        const end = cr !== -1 && (lf === -1 || cr < lf) ? cr : lf;
        if (unfinished.isEmpty()) emit(bytes, from, end);
        else emitWhole(unfinished.finish(bytes.subarray(from, end)), emit);
        from = end + (bytes[end] === CR && bytes[end + 1] === LF ? 2 : 1);
        if (lf !== -1 && lf < from) lf = bytes.indexOf(LF, from);
        if (cr !== -1 && cr < from) cr = bytes.indexOf(CR, from);
      }
      afterCr = bytes[bytes.length - 1] === CR;
      if (from < bytes.length) unfinished.hold(bytes.subarray(from));
    },
    /** The last line of a stream that does not end with a line break. */
    end(): void {
      if (!unfinished.isEmpty()) emitWhole(unfinished.finish(Buffer.alloc(0)), emit);
    },
  };
}

const asBuffer = (chunk: Uint8Array) =>
  Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);

const emitWhole = (line: Buffer, emit: OnLine) => emit(line, 0, line.length);

/** The bytes of a line whose end has not come yet. */
function createUnfinished(longest: number) {
  let pieces: Buffer[] = [];
  let size = 0;
  return {
    isEmpty: () => size === 0,
    hold(piece: Buffer): void {
      size += piece.length;
      if (size > longest) throw new AppError('upstream_failed', `The stream has a line of more than ${longest} bytes`);
      pieces.push(piece);
    },
    finish(last: Buffer): Buffer {
      const line = Buffer.concat([...pieces, last]);
      pieces = [];
      size = 0;
      return line;
    },
  };
}
