import { AppError } from '../errors.ts';
import { decodeError, type ModelError } from '../llm/model-error.ts';

/** A model's failure as the caller sees it: the server's own status and words. */
export const refusalOf = (error: ModelError, retryAfter?: string): AppError =>
  new AppError('upstream_failed', error.message, {
    status: carriedStatus(error.status),
    facts: { type: error.type, ...(error.status && { upstream_status: error.status }) },
    ...(retryAfter && { headers: { 'retry-after': retryAfter } }),
  });

/** When a server refuses our credential, the caller's own is not to blame: clients would sign out at a 401. */
function carriedStatus(status: number | undefined): number {
  if (status === undefined || status < 400 || status > 599) return 502;
  return status === 401 || status === 407 ? 502 : status;
}

/** Whatever went wrong, in the words of the formats. What nobody foresaw is told to nobody. */
export const asModelError = (error: unknown): ModelError =>
  error instanceof AppError
    ? decodeError({ message: error.message, type: error.facts.type }, error.status)
    : decodeError({ message: 'Internal error' }, 500);
