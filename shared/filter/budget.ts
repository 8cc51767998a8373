import { budgetError, FilterError } from './errors.ts';

/** What an evaluation may still spend; it is counted down while expressions run. */
export interface Budget {
  steps: number;
  bytes: number;
}

export const DEFAULT_STEPS = 100_000;
export const DEFAULT_BYTES = 8_000_000;
const MAX_INTEGER_BITS = 65_536;
const CHEAP_INTEGER_BITS = 512;

export const createBudget = ({ steps = DEFAULT_STEPS, bytes = DEFAULT_BYTES } = {}): Budget => ({ steps, bytes });

// Evaluation is synchronous, so one current budget is enough. Outside `withBudget` there is nothing to spend:
// work that forgot its budget fails at once instead of running without a limit.
let current: Budget = { steps: 0, bytes: 0 };

export function withBudget<Result>(budget: Budget, run: () => Result): Result {
  const outer = current;
  current = budget;
  try {
    return run();
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    throw new FilterError('recursion', 'maximum recursion depth exceeded');
  } finally {
    current = outer;
  }
}

export function step(count = 1): void {
  current.steps -= count;
  // Written so that a count that is not a number is refused too.
  if (!(current.steps >= 0)) throw budgetError('step limit exceeded');
}

export function allocate(bytes: number): void {
  current.bytes -= bytes;
  if (!(current.bytes >= 0)) throw budgetError('memory limit exceeded');
}

/** Room and time for text of this many UTF-16 units. */
export function allocateText(length: number): void {
  allocate(length * 2);
  step(length / 256);
}

/** Room and time for a collection of this many references. */
export function allocateItems(count: number): void {
  allocate(count * 8);
  step(count / 4);
}

/** Allows an integer of about this many bits; multiplication cost grows with the square. */
export function allocateInteger(bits: number): void {
  if (bits > MAX_INTEGER_BITS) throw budgetError('integer too large');
  if (bits <= CHEAP_INTEGER_BITS) return;
  allocate(bits / 8);
  step((bits / 1024) ** 2);
}

const isStackOverflow = (error: unknown) => error instanceof RangeError && error.message.includes('call stack');
