import { validateHeaderName, validateHeaderValue } from 'node:http';

export interface WireRequest {
  readonly method: string;
  /** With the query, percent-encoded as a `URL` has it. */
  readonly path: string;
  /** `host` among them; the length is added here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

const PATH = /^\/[\x21-\x7e]*$/;
const METHOD = /^[A-Z]+$/;
const SET_HERE = new Set(['content-length', 'transfer-encoding', 'connection']);

/** What stands before the body. Nothing in a value can end its line, or the head. */
export function requestHead({ method, path, headers, body }: WireRequest): string {
  if (!METHOD.test(method) || !PATH.test(path)) throw new TypeError('This request line cannot be sent');
  let head = `${method} ${path} HTTP/1.1\r\n`;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || SET_HERE.has(name.toLowerCase())) continue;
    validateHeaderName(name);
    validateHeaderValue(name, value);
    head += `${name}: ${value}\r\n`;
  }
  if (body !== undefined || (method !== 'GET' && method !== 'HEAD'))
    head += `content-length: ${body === undefined ? 0 : Buffer.byteLength(body)}\r\n`;
  return `${head}connection: keep-alive\r\n\r\n`;
}
