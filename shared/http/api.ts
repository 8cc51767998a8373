import { AppError } from '../errors.ts';
import type { Access, Actor } from '../identity/actor.ts';
import { parseBody, parseQuery } from './parse.ts';
import { isReply, type Connection, type Handlers, type Route, type Routes } from './route.ts';

/** Turns a request into whoever sends it, or throws 401/403. Routes marked `open` are never asked. */
export type Authenticate = (
  request: Request,
  access: Access,
  connection?: Pick<Connection, 'waitUntil'>,
) => Promise<Actor | undefined>;

/** One callable route; a host is a router over a list of these. */
export interface Endpoint {
  readonly name: string;
  readonly route: Route;
  call(request: Request, params: Readonly<Record<string, string>>, connection: Connection): Promise<Response>;
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
        const actor = route.auth === 'open' ? undefined : await authenticate(request, route.auth, connection);
        const query = parseQuery(route, new URL(request.url).searchParams);
        const body = await parseBody(route, request);
        return toResponse(route, await handle({ ...connection, actor, params, query, body, request }));
      },
    };
  });

function toResponse(route: Route, answer: unknown): Response {
  if (answer instanceof Response) return answer;
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
