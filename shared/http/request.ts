/** Header names are asked for in lower case, as HTTP ignores their case. */
export interface RequestHeaders {
  get(name: string): string | null;
  forEach(callback: (value: string, name: string) => void): void;
}

/**
 * What the core reads of a request. A web `Request` is one too; the hosts have the whole body already and make lighter
 * ones, because a web `Request` with its headers costs more than everything else that is done before a handler runs.
 */
export interface HttpRequest {
  readonly method: string;
  /** The full address, normalized as `URL` does it: no dot segments are left in its path. */
  readonly url: string;
  readonly headers: RequestHeaders;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
  formData(): Promise<FormData>;
}

export interface Received {
  readonly method: string;
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

const NOTHING = new Uint8Array(0);
const UTF8 = new TextDecoder();

export function receivedRequest({ method, url, headers, bytes = NOTHING }: Received): HttpRequest {
  const held = headersOver(headers);
  return {
    method,
    url: url.href,
    headers: held,
    text: async () => UTF8.decode(bytes),
    arrayBuffer: async () => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
    formData: () => new Response(bytes, { headers: { 'content-type': held.get('content-type') ?? '' } }).formData(),
  };
}

const headersOver = (headers: Received['headers']): RequestHeaders => ({
  get: (name) => valueOf(headers[name.toLowerCase()]) ?? null,
  forEach(callback) {
    for (const name in headers) {
      const value = valueOf(headers[name]);
      if (value !== undefined) callback(value, name);
    }
  },
});

const valueOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : value);

/** The path alone, without parsing the address again. */
export function pathOf({ url }: HttpRequest): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const end = url.indexOf('?', start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

export const queryOf = ({ url }: HttpRequest) => new URL(url).searchParams;
