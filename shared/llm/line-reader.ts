const LF = 10;
const CR = 13;
const BOM = '\uFEFF';

/** Enough for a generated image in one event; past it an upstream is broken or hostile. */
const LONGEST_LINE = 32 * 1024 * 1024;

/**
 * Cuts a byte stream into lines at LF, CRLF or CR, wherever the chunks happen to be split. Lines inside one chunk
 * are decoded straight from it; only a line that spans chunks is joined first. Because text is decoded by whole
 * lines, a character split between chunks needs no care. Chunks must not be changed after they were pushed.
 */
export function createLineReader(onLine: (line: string) => void, longest = LONGEST_LINE) {
  const unfinished = createUnfinished(longest);
  let afterCr = false;
  let first = true;

  const emit = (line: string) => {
    onLine(first && line.startsWith(BOM) ? line.slice(1) : line);
    first = false;
  };

  return {
    push(chunk: Uint8Array): void {
      if (chunk.length === 0) return;
      let from = afterCr && chunk[0] === LF ? 1 : 0;
      const next = { lf: chunk.indexOf(LF, from), cr: chunk.indexOf(CR, from) };
      for (;;) {
        if (next.lf !== -1 && next.lf < from) next.lf = chunk.indexOf(LF, from);
        if (next.cr !== -1 && next.cr < from) next.cr = chunk.indexOf(CR, from);
        const end = next.cr !== -1 && (next.lf === -1 || next.cr < next.lf) ? next.cr : next.lf;
        if (end === -1) break;
        emit(unfinished.finish(chunk, from, end));
        from = end + (chunk[end] === CR && chunk[end + 1] === LF ? 2 : 1);
      }
      afterCr = chunk.at(-1) === CR;
      unfinished.hold(chunk.subarray(from));
    },
    /** The last line of a stream that does not end with a line break. */
    end(): void {
      if (unfinished.isHeld()) emit(unfinished.finish(new Uint8Array(), 0, 0));
    },
  };
}

/** The bytes of a line whose end has not come yet. */
function createUnfinished(longest: number) {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  return {
    isHeld: () => bytes > 0,
    hold(piece: Uint8Array): void {
      if (piece.length === 0) return;
      bytes += piece.length;
      if (bytes > longest) throw new RangeError(`The stream has a line of more than ${longest} bytes`);
      pieces.push(piece);
    },
    finish(chunk: Uint8Array, from: number, to: number): string {
      if (bytes === 0) return Buffer.from(chunk.buffer, chunk.byteOffset + from, to - from).toString();
      const line = Buffer.concat([...pieces, chunk.subarray(from, to)]).toString();
      pieces = [];
      bytes = 0;
      return line;
    },
  };
}
