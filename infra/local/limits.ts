import { AppError } from '../../shared/errors.ts';
import type { Endpoint } from '../../shared/http/api.ts';

/** What the HTTP API and Lambda allow. They hold here too, so nothing works here that fails there. */
export const BUFFERED_SECONDS = 30;
export const MAX_ANSWER_BYTES = 6 * 1024 * 1024;
export const MAX_SOCKET_MESSAGE = 128 * 1024;

export const withGatewayLimits = (endpoint: Endpoint): Endpoint =>
  endpoint.route.transport === 'stream'
    ? endpoint
    : { ...endpoint, call: (...call) => within(BUFFERED_SECONDS, endpoint.call(...call)) };

async function within<T>(seconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AppError('dependency_unavailable', `No answer within ${seconds} seconds`)),
      seconds * 1000,
    );
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
