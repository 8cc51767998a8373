/** Where a streamed answer goes: a socket, a Lambda response stream, or a web stream in tests. */
export interface Sink {
  /** Resolves when the client can take more; never throws when the client has gone. */
  write(chunk: Uint8Array | string): Promise<void> | void;
  /** Aborted when the client goes away; work that must finish anyway simply ignores it. */
  readonly gone: AbortSignal;
}

export type Produce = (sink: Sink) => Promise<void>;

/**
 * An answer whose body is pushed. The hosts hand it their own socket, so no web stream stands between an upstream chunk
 * and the client. Its headers have names in lower case, and no name twice.
 */
export class StreamedResponse {
  readonly status: number;
  readonly headers: Map<string, string>;
  readonly produce: Produce;

  constructor(produce: Produce, headers: Readonly<Record<string, string>>, status: number) {
    this.status = status;
    this.headers = new Map(Object.entries(headers));
    this.produce = produce;
  }
}

/** What a handler may answer with by itself. */
export type Answered = Response | StreamedResponse;

export const isAnswered = (value: unknown): value is Answered =>
  value instanceof Response || value instanceof StreamedResponse;

export const streamed = (produce: Produce, headers: Readonly<Record<string, string>>, status = 200) =>
  new StreamedResponse(produce, { 'cache-control': 'no-store', 'x-accel-buffering': 'no', ...headers }, status);

/** Server-sent events. A comment every 15 s keeps proxies from closing a quiet stream. */
export const eventStream = (produce: (events: EventSink) => Promise<void>, headers: Record<string, string> = {}) =>
  streamed((sink) => keepingAlive(sink, (alive) => produce(eventSink(alive))), {
    'content-type': 'text/event-stream; charset=utf-8',
    ...headers,
  });

/** One JSON value per line, the local runtime's stream format. */
export const lineStream = (
  produce: (write: (value: unknown) => Promise<void> | void, gone: AbortSignal) => Promise<void>,
) =>
  streamed((sink) => produce((value) => sink.write(`${JSON.stringify(value)}\n`), sink.gone), {
    'content-type': 'application/x-ndjson',
  });

export interface ServerEvent {
  readonly data: unknown;
  readonly event?: string;
  readonly id?: string;
}

export interface EventSink extends Sink {
  send(event: ServerEvent): Promise<void> | void;
}

const eventSink = (sink: Sink): EventSink =>
  Object.assign(sink, { send: (event: ServerEvent) => sink.write(formatEvent(event)) });

/** Strings are sent as they are (`[DONE]`), everything else as JSON; newlines inside become further data lines. */
export function formatEvent({ data, event, id }: ServerEvent) {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  const lines = text.includes('\n') ? text.split(/\r?\n/).join('\ndata: ') : text;
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${lines}\n\n`;
}

const KEEP_ALIVE_MS = 15_000;

async function keepingAlive(sink: Sink, produce: Produce) {
  let lastWrite = Date.now();
  const timer = setInterval(() => {
    if (Date.now() - lastWrite >= KEEP_ALIVE_MS) void sink.write(': keep-alive\n\n');
  }, KEEP_ALIVE_MS / 3);
  try {
    await produce({
      gone: sink.gone,
      write(chunk) {
        lastWrite = Date.now();
        return sink.write(chunk);
      },
    });
  } finally {
    clearInterval(timer);
  }
}
