import { Retry } from '../../shared/workflow/kinds/shape.ts';
import type { NodeFailure } from './failure.ts';

const DEFAULT_RETRY = Retry.parse({});

/** How long to wait before the next attempt, or nothing when this was the last one. */
export function retryDelay(
  retry: Retry | undefined,
  failure: Pick<NodeFailure, 'retryable' | 'retryAfterMs'>,
  { failures, random }: { readonly failures: number; readonly random: number },
): number | undefined {
  const { max_attempts, initial_s, factor, max_s, jitter } = retry ?? DEFAULT_RETRY;
  if (!failure.retryable || failures >= max_attempts) return undefined;
  const planned = Math.min(max_s, initial_s * factor ** (failures - 1)) * 1000;
  const spread = jitter ? planned * (0.5 + random / 2) : planned;
  return Math.round(Math.max(spread, failure.retryAfterMs ?? 0));
}

const LONGEST_RETRY_AFTER_MS = 86_400_000;

/** `Retry-After` as seconds; dates are left to our own back-off. */
export function retryAfter(header: string | undefined): number | undefined {
  const seconds = Number(header);
  return header !== undefined && Number.isFinite(seconds) && seconds >= 0
    ? Math.min(seconds * 1000, LONGEST_RETRY_AFTER_MS)
    : undefined;
}
