import { AppError } from '../errors.ts';

/** What went wrong on the wire, in our own words; the cause stays for the log and is told to nobody. */
export function asUpstreamFailure(cause: unknown): unknown {
  const known = ownFailure(cause);
  if (known) return known;
  const code = codeOf(cause);
  return new AppError('upstream_failed', REASONS.get(code) ?? certificateReason(code) ?? 'The upstream failed', {
    cause,
  });
}

export const timedOut = (ms: number) =>
  new AppError('upstream_timeout', `The upstream did not answer within ${Math.ceil(ms / 1000)} seconds`);

export const neverConnected = () =>
  new AppError('upstream_timeout', 'The upstream did not accept a connection in time');

/** A refusal thrown inside the socket's look-up arrives here as the request's error. */
function ownFailure(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (error instanceof Error && error.name === 'AbortError') return error;
  return undefined;
}

export const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'The upstream refused the connection'],
  ['ENOTFOUND', 'The upstream has no address'],
  ['EAI_AGAIN', 'The address of the upstream could not be looked up'],
  ['ECONNRESET', 'The upstream closed the connection before its answer was complete'],
  ['EPIPE', 'The upstream closed the connection before its answer was complete'],
  ['EHOSTUNREACH', 'The upstream cannot be reached'],
  ['ENETUNREACH', 'The upstream cannot be reached'],
  ['ETIMEDOUT', 'The upstream cannot be reached'],
]);

const certificateReason = (code: string) =>
  /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code) ? 'The certificate of the upstream is not trusted' : undefined;
