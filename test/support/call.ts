import { host } from './host.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests assert on whatever came back
  readonly body: any;
}

export interface CallOptions {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url?: string;
}

/** `await call('POST /api/v1/chats/new', { chat }, { token })`: one request as any client would send it. */
export async function call(target: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
  const [method = 'GET', path = '/'] = target.split(' ');
  const isJson =
    body !== undefined && !(body instanceof FormData) && !(body instanceof Uint8Array) && typeof body !== 'string';
  const response = await fetch(`${options.url ?? host.url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(isJson && { 'content-type': 'application/json' }),
      ...(options.token && { authorization: `Bearer ${options.token}` }),
      ...options.headers,
    },
    body: isJson ? JSON.stringify(body) : (body as RequestInit['body']),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
