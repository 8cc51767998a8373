import { AppError } from '../errors.ts';
import { log } from '../log.ts';
import type { Route } from './route.ts';

/** The one place where a failure becomes HTTP. What nobody foresaw is logged in full and told to nobody. */
export function failureResponse(error: unknown, requestId: string, style?: Route['errorStyle']): Response {
  const failure = asAppError(error, requestId);
  const body = BODIES[style ?? 'standard'](failure, requestId);
  return Response.json(body, { status: failure.status, headers: failure.headers });
}

function asAppError(error: unknown, requestId: string): AppError {
  if (error instanceof AppError) {
    if (error.status >= 500) log.warn('request failed', { requestId, code: error.code, error });
    return error;
  }
  log.error('unexpected failure', { requestId, error });
  return new AppError('internal', 'Internal error', { cause: error });
}

export const standardBody = (failure: AppError, requestId: string) => ({
  detail: failure.problems ?? failure.message,
  error: { code: failure.code, message: failure.message, request_id: requestId, ...failure.facts },
});

const messagesBody = (failure: AppError, requestId: string) => ({
  type: 'error',
  error: { type: messagesErrorType(failure.status), message: failure.message },
  detail: failure.problems ?? failure.message,
  request_id: requestId,
});

/** The local runtime's clients read the text right out of `error`. */
const runtimeBody = (failure: AppError, requestId: string) => ({
  error: failure.message,
  detail: failure.problems ?? failure.message,
  code: failure.code,
  request_id: requestId,
});

const BODIES = { standard: standardBody, messages: messagesBody, runtime: runtimeBody } as const;

const MESSAGES_ERROR_TYPES: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
]);

const messagesErrorType = (status: number) =>
  MESSAGES_ERROR_TYPES.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
