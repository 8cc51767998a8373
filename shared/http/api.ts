import { AppError } from '../errors.ts';
import type { Access, Actor } from '../identity/actor.ts';
import { parseBody, parseQuery } from './parse.ts';
import type { HttpRequest } from './request.ts';
import { isReply, type Connection, type Handlers, type Route, type Routes } from './route.ts';
import { isAnswered, type Answered } from './streamed.ts';

/** Turns a request into whoever sends it, or throws 401/403. Routes marked `open` are never asked. */
export type Authenticate = (
  request: HttpRequest,
  access: Access,
  connection?: Pick<Connection, 'waitUntil'>,
) => Promise<Actor | undefined>;

/** One callable route; a host is a router over a list of these. */
export interface Endpoint {
  readonly name: string;
  readonly route: Route;
  call(request: HttpRequest, params: Readonly<Record<string, string>>, connection: Connection): Promise<Answered>;
}

/** Joins a contract with its handlers; the compiler has already checked that they fit. */
export const createApi = <const R extends Routes>(
  routes: R,
  handlers: Handlers<R>,
  authenticate: Authenticate,
): Endpoint[] =>
  Object.entries(routes).map(([name, route]) => {
    // The mapped type ties this handler to this route; the loop variable cannot express that.
    const handle = handlers[name] as unknown as (context: unknown) => unknown;
    return {
      name,
      route,
      async call(request, params, connection) {
        const asking = route.auth === 'open' ? undefined : authenticate(request, route.auth, connection);
        const input = await readInput(route, request, asking);
        return toResponse(route, await handle({ ...connection, ...input, params, request }));
      },
    };
  });

/** Small bodies are read while the tables say who asks. Of two refusals that of the caller comes first. */
async function readInput(route: Route, request: HttpRequest, asking: Promise<Actor | undefined> | undefined) {
  const isSmall = Number(request.headers.get('content-length') ?? 0) <= SMALL_BODY;
  const reading = isSmall ? readRequest(route, request) : undefined;
  reading?.catch(() => {}); // heard of below, unless the caller is refused first
  const actor = await asking;
  return { actor, ...(await (reading ?? readRequest(route, request))) };
}

const SMALL_BODY = 64 * 1024;

const readRequest = async (route: Route, request: HttpRequest) => ({
  query: parseQuery(route, request),
  body: await parseBody(route, request),
});

function toResponse(route: Route, answer: unknown): Answered {
  if (isAnswered(answer)) return answer;
  if (isReply(answer)) {
    return json(route, answer.value, { status: answer.init.status ?? route.status, headers: answer.init.headers });
  }
  if (!route.returns) return new Response(null, { status: route.status ?? 204 });
  return json(route, answer, { status: route.status });
}

/** The reply schema is applied on the way out, so a field that is not in the contract cannot leak. */
function json(route: Route, value: unknown, init: ResponseInit): Response {
  if (!route.returns) return new Response(null, init);
  const result = route.returns.safeParse(value);
  if (!result.success) throw new AppError('internal', 'Internal error', { cause: result.error });
  return Response.json(result.data, init);
}
