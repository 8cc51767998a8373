import { AppError } from '../errors.ts';
import type { Access, Actor } from '../identity/actor.ts';
import { parseBody, parseQuery } from './parse.ts';
import type { HttpRequest } from './request.ts';
import { isReply, type Connection, type Handlers, type Route, type Routes } from './route.ts';
import { isAnswered, type Answered } from './streamed.ts';

/** Turns a request into whoever sends it, or throws 401/403. Routes marked `open` are never asked. */
export interface Authenticate {
  (request: HttpRequest, access: Access, connection?: Pick<Connection, 'waitUntil'>): Promise<Actor | undefined>;
  /** The same for routes that are eager. */
  presume?(request: HttpRequest, access: Access, connection: Connection): Promise<Presumed>;
}

/** Who asks, as far as is known at once. */
export interface Presumed {
  readonly actor: Actor | undefined;
  /** Fails like `Authenticate` if that is no longer so, and with `Mistaken` if it is but something about them has changed. */
  readonly confirmed: Promise<void>;
}

/** The handler has begun for somebody as they were a moment ago; it is called again for them as they are. */
export class Mistaken extends Error {
  override readonly name = 'Mistaken';
  readonly actor: Actor;

  constructor(actor: Actor) {
    super('Something about the caller has changed');
    this.actor = actor;
  }
}

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
        const reading = isSmall(request) ? readRequest(route, request) : undefined;
        reading?.catch(() => {}); // heard of below, unless the caller is refused first
        const presumed = await ask(authenticate, route, request, connection);
        const answer = await attempt(presumed, async (who) => {
          const input = await (reading ?? readRequest(route, request));
          return handle({ ...connection, ...who, ...input, params, request });
        });
        return toResponse(route, answer);
      },
    };
  });

async function ask(authenticate: Authenticate, route: Route, request: HttpRequest, connection: Connection) {
  if (route.auth === 'open') return NOBODY;
  if (route.isEager && authenticate.presume) return authenticate.presume(request, route.auth, connection);
  return { actor: await authenticate(request, route.auth, connection), confirmed: CONFIRMED };
}

export const CONFIRMED = Promise.resolve();
const NOBODY: Presumed = { actor: undefined, confirmed: CONFIRMED };

/** An eager handler that was mistaken about its caller gets a second chance. Whoever is refused hears of nothing else. */
async function attempt(presumed: Presumed, handle: (who: Presumed) => Promise<unknown>): Promise<unknown> {
  try {
    return await handle(presumed);
  } catch (error) {
    const why: unknown = await presumed.confirmed.then(
      () => error,
      (refusal: unknown) => refusal,
    );
    if (why instanceof Mistaken) return handle({ actor: why.actor, confirmed: CONFIRMED });
    throw why;
  }
}

/** Such a body is read while the tables say who asks; a larger one only for somebody who may ask. */
const isSmall = (request: HttpRequest) => Number(request.headers.get('content-length') ?? 0) <= SMALL_BODY;
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
