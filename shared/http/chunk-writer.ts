import type { ServerResponse } from 'node:http';

/** Writes a streamed answer whose head is ready but not sent yet. */
export interface ChunkWriter {
  /** Whether the socket takes more. */
  write(chunk: Uint8Array | string): boolean;
  onceDrained(callback: () => void): void;
  end(): void;
}

/**
 * One system call for each chunk: Node would send its length, its bytes and its end as three pieces, a tick later. The
 * head goes out with the first chunk, or by itself if that is not there at once.
 */
export function chunkWriter(outgoing: ServerResponse): ChunkWriter {
  // Whether the answer is chunked depends on the client's version of HTTP, and is known since the head was made.
  const isChunked = outgoing.chunkedEncoding;
  outgoing.chunkedEncoding = false;
  let flushing: NodeJS.Immediate | undefined = setImmediate(() => outgoing.flushHeaders());
  const keepHead = () => {
    clearImmediate(flushing);
    flushing = undefined;
  };
  return {
    write(chunk) {
      if (chunk.length === 0) return true;
      const bytes = isChunked ? frame(chunk) : chunk;
      // Behind the head there is nothing left for the response object to add, so the bytes go to the socket itself.
      if (!flushing && outgoing.socket) return outgoing.socket.write(bytes);
      keepHead();
      return outgoing.write(bytes);
    },
    onceDrained: (callback) => void (outgoing.socket ?? outgoing).once('drain', callback),
    end() {
      keepHead();
      outgoing.end(isChunked ? '0\r\n\r\n' : undefined);
    },
  };
}

function frame(chunk: Uint8Array | string): Buffer {
  const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  const size = `${bytes.length.toString(16)}\r\n`;
  const framed = Buffer.allocUnsafe(size.length + bytes.length + 2);
  framed.write(size, 0, 'latin1');
  framed.set(bytes, size.length);
  framed.write('\r\n', size.length + bytes.length, 'latin1');
  return framed;
}
