import { host } from '../support/host.ts';

export interface Frame {
  readonly id: string | undefined;
  readonly event: string | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests assert on whatever came
  readonly data: any;
}

export interface Live {
  readonly status: number;
  readonly headers: Headers;
  readonly frames: readonly Frame[];
  /** Resolves when this many frames have come. */
  until(count: number): Promise<readonly Frame[]>;
  close(): void;
}

/** An open event stream, read as a browser would read it. */
export async function openLive(
  path: string,
  options: { token: string; lastEventId?: string; url?: string },
): Promise<Live> {
  const closing = new AbortController();
  const headers = {
    authorization: `Bearer ${options.token}`,
    ...(options.lastEventId && { 'last-event-id': options.lastEventId }),
  };
  const response = await fetch(`${options.url ?? host.url}${path}`, { headers, signal: closing.signal });
  const frames: Frame[] = [];
  let wake = () => {};
  const reading = read(response, (frame) => {
    frames.push(frame);
    wake();
  });
  void reading.catch(() => wake());
  return {
    status: response.status,
    headers: response.headers,
    frames,
    async until(count) {
      while (frames.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return frames;
    },
    close: () => closing.abort(),
  };
}

async function read(response: Response, onFrame: (frame: Frame) => void) {
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString('utf8');
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const frame = parse(text.slice(0, end));
      text = text.slice(end + 2);
      if (frame) onFrame(frame);
    }
  }
}

function parse(block: string): Frame | undefined {
  const fields = new Map(
    block
      .split('\n')
      .filter((line) => !line.startsWith(':'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const data = fields.get('data');
  return data === undefined ? undefined : { id: fields.get('id'), event: fields.get('event'), data: JSON.parse(data) };
}
