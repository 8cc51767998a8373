import type { Connection } from '../../shared/connections/connection.ts';
import { AppError, notFound } from '../../shared/errors.ts';
import { isObject, stringAt } from '../../shared/llm/json-value.ts';
import type { Outbound } from '../../shared/net/outbound.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface PipelineParts {
  readonly outbound: Outbound;
  /** Connections that serve pipelines, in their order. */
  readonly servers: () => Promise<readonly Connection[]>;
  readonly headers: (server: Connection) => Promise<Record<string, string>>;
}

const TIMEOUT_MS = 20_000;
const LARGEST = 2 * 1024 * 1024;

/** Remote pipelines are managed where they run; we pass on what operators ask there, with the key of the connection. */
export function createPipelines(parts: PipelineParts) {
  const ask = async (urlIdx: number, path: string, body?: Fields): Promise<Fields> => {
    const server = (await parts.servers())[urlIdx];
    if (!server) throw notFound('Pipeline server');
    const response = await parts.outbound.request(`${server.url}${path}`, {
      headers: { 'content-type': 'application/json', ...(await parts.headers(server)) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      timeoutMs: TIMEOUT_MS,
      trusted: true,
    });
    const answer = await response.json(LARGEST);
    if (response.status < 200 || response.status > 299) throw refusal(response.status, answer);
    return isObject(answer) ? answer : {};
  };
  const at = (id: string, rest = '') => `/${encodeURIComponent(id)}/valves${rest}`;
  return {
    async servers() {
      return { data: (await parts.servers()).map(({ url }, idx) => ({ url, idx })) };
    },
    list: (urlIdx: number) => ask(urlIdx, '/pipelines'),
    valves: (urlIdx: number, id: string) => ask(urlIdx, at(id)),
    valvesSpec: (urlIdx: number, id: string) => ask(urlIdx, at(id, '/spec')),
    setValves: (urlIdx: number, id: string, valves: Fields) => ask(urlIdx, at(id, '/update'), valves),
  };
}

export type Pipelines = ReturnType<typeof createPipelines>;

/** Their own words; a refusal of our key is a failure of the connection, not of whoever asks. */
function refusal(status: number, answer: unknown): AppError {
  const detail = stringAt(answer, 'detail') ?? `The pipeline server answered ${status}`;
  if (status === 404) return new AppError('not_found', detail);
  const isAboutRequest = status >= 400 && status < 500 && status !== 401 && status !== 403;
  return new AppError('upstream_failed', detail, isAboutRequest ? { status: 400 } : {});
}
