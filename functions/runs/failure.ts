import { AppError } from '../../shared/errors.ts';
import { FilterError, FilterSyntaxError } from '../../shared/filter/errors.ts';
import type { RunError } from '../../shared/workflow/run-record.ts';

interface FailureOptions {
  readonly retryable?: boolean;
  /** The other side said when to come back. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** Why a node did not do its work. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure';
  readonly code: string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, { retryable = false, retryAfterMs, cause }: FailureOptions = {}) {
    super(message, { cause });
    this.code = code;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The lease went to somebody else: whatever was being done no longer counts. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Somebody asked for the end of the run. */
export class RunCancelled extends Error {
  override readonly name = 'RunCancelled';
  readonly reason: string;

  constructor(reason: string) {
    super(`The run was cancelled: ${reason}`);
    this.reason = reason;
  }
}

/** Worth another attempt: what was wrong may have been the moment. */
const PASSING: readonly string[] = ['upstream_failed', 'upstream_timeout', 'rate_limited', 'dependency_unavailable'];

/** What people caused becomes a failure of the node; what nobody foresaw is thrown on. */
export function asNodeFailure(error: unknown): NodeFailure {
  if (error instanceof NodeFailure) return error;
  if (error instanceof FilterError || error instanceof FilterSyntaxError)
    return new NodeFailure('expression_failed', `${error.name}: ${error.message}`, { cause: error });
  if (error instanceof AppError)
    return new NodeFailure(error.code, error.message, { retryable: PASSING.includes(error.code), cause: error });
  throw error;
}

export const runError = (failure: NodeFailure, where: { node_id: string | null; attempt: number }): RunError => ({
  code: failure.code,
  message: failure.message.slice(0, 4000),
  retryable: failure.retryable,
  ...where,
});
