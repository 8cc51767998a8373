import { AppError } from '../../errors.ts';
import { parseJson } from '../../llm/json-value.ts';
import type { Outbound } from '../../net/outbound.ts';
import type { ToolServer } from '../server.ts';

const LARGEST_ANSWER = 1024 * 1024;
const ANSWER_MS = 10_000;

export interface Question {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly challenge: string | undefined;
}

export type Ask = (url: string, question?: Question) => Promise<Answer>;

/**
 * One small question to a resource or an authorization server. Operators have named the tool server and perhaps its
 * authorization server; whatever else these two point to has to pass the guard.
 */
export function createAsk(outbound: Outbound, server: Pick<ToolServer, 'url' | 'oauth'>): Ask {
  const named = [server.url, server.oauth?.server_url].flatMap((url) => (url ? [new URL(url).origin] : []));
  return async (url, { method = 'GET', headers = {}, body } = {}) => {
    const response = await outbound.request(url, {
      method,
      headers: { accept: 'application/json', ...headers },
      ...(body !== undefined && { body }),
      timeoutMs: ANSWER_MS,
      trusted: named.includes(new URL(url).origin),
    });
    const challenge = response.headers['www-authenticate'];
    const isStream = /^text\/event-stream/i.test(response.headers['content-type'] ?? '');
    if (isStream) response.close();
    const text = isStream ? '' : await response.text(LARGEST_ANSWER);
    return { status: response.status, body: parseJson(text), challenge };
  };
}

export const cannotAuthorize = (server: Pick<ToolServer, 'name'>, reason: string, cause?: unknown) =>
  new AppError('upstream_failed', `${server.name} cannot be authorized: ${reason}`, { cause });
