import { addressClass } from './address-class.ts';
import type { Rule, Taken, Throttle } from './throttle.ts';

const NOTHING: Taken = { refund: () => Promise.resolve() };

/**
 * Counts by where a request comes from. The machine itself is not counted: that is its operator at work, or a proxy
 * nobody has declared, and then one counter for everybody would lock everybody out.
 */
export const takeByAddress = (throttle: Throttle, rule: Rule, address: string): Promise<Taken> => {
  const from = addressClass(address);
  return from === '0:0:0:0' || from.startsWith('127.') ? Promise.resolve(NOTHING) : throttle.take(rule, from);
};
