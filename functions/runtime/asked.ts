import { AppError } from '../../shared/errors.ts';
import type { Connection } from '../../shared/http/route.ts';
import type { OperatorActor, UserActor } from '../../shared/identity/actor.ts';
import type { HttpRequest } from '../../shared/http/request.ts';

/** A request as the routes of this family hand it over. */
export interface Asked<Body, Actor = UserActor> extends Pick<Connection, 'waitUntil'> {
  readonly actor: Actor;
  readonly body: Body;
  readonly request: HttpRequest;
  /** The runtime's place, where the route has one. */
  readonly params: { readonly index?: string };
}

export type Ordered<Body> = Asked<Body, OperatorActor>;

/** What the rules need of a request. The runtime takes JSON only from those who say that it is JSON. */
export function sent<Body, Actor>({ actor, body, request, params, waitUntil }: Asked<Body, Actor>) {
  const type = request.headers.get('content-type') ?? '';
  if (request.method === 'POST' && !/^application\/([\w.+-]*\+)?json\b/i.test(type))
    throw new AppError('unsupported_media_type', 'Send this with the header Content-Type: application/json');
  return { actor, body, index: params.index, waitUntil };
}
