import { AppError } from '../errors.ts';
import { pathOf, type HttpRequest } from '../http/request.ts';
import type { Settings } from '../settings/variables.ts';
import type { UserActor } from './actor.ts';
import { hashApiKey } from './api-key.ts';
import { isRouteAllowed } from './key-routes.ts';

export type KeySettings = Pick<Settings, 'ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS' | 'API_KEYS_ALLOWED_ENDPOINTS'>;

/** A key may be limited to some routes, by whoever made it and by the installation. */
export function demandRoute(actor: UserActor, request: HttpRequest, settings: KeySettings): void {
  const limits = [
    actor.allowedRoutes,
    settings.ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS ? settings.API_KEYS_ALLOWED_ENDPOINTS : null,
  ];
  if (limits.some((entries) => entries && !isRouteAllowed(entries, request.method, pathOf(request))))
    throw new AppError('api_key_route_forbidden', 'This API key may not call this route');
}

const hashes = new WeakMap<HttpRequest, string>();

/** What stands for a key in tables and in memory; made once for each request. */
export function keyHashOf(request: HttpRequest, key: string): string {
  const known = hashes.get(request);
  if (known !== undefined) return known;
  const hash = hashApiKey(key);
  hashes.set(request, hash);
  return hash;
}
