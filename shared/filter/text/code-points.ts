import { step } from '../budget.ts';

// Python counts code points, JavaScript UTF-16 units; they differ only where surrogates occur.
const hasSurrogates = (text: string) => /[\ud800-\udfff]/.test(text);

export function characters(text: string): readonly string[] {
  step(text.length / 16);
  return hasSurrogates(text) ? Array.from(text) : text.split('');
}

export function lengthOf(text: string): number {
  step(text.length / 256);
  if (!hasSurrogates(text)) return text.length;
  step(text.length / 16);
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Text that can be indexed by character: the string itself where units are characters. */
export function indexable(text: string): string | readonly string[] {
  step(text.length / 256);
  return hasSurrogates(text) ? characters(text) : text;
}

/** Negative, zero or positive, by code points. */
export function compareText(left: string, right: string): number {
  step(Math.min(left.length, right.length) / 256);
  if (left === right) return 0;
  if (!hasSurrogates(left) && !hasSurrogates(right)) return left < right ? -1 : 1;
  const shared = sharedPrefix(left, right);
  return (left.codePointAt(shared) ?? -1) - (right.codePointAt(shared) ?? -1);
}

function sharedPrefix(left: string, right: string): number {
  let index = 0;
  while (index < left.length && index < right.length && left[index] === right[index]) index += 1;
  const splitsPair = index > 0 && /[\ud800-\udbff]/.test(left.charAt(index - 1));
  return splitsPair ? index - 1 : index;
}

/** Pays for one search: engines may compare the whole needle at every position. */
export function paySearch(text: string, needle: string): void {
  step(text.length / 32 + (text.length * needle.length) / 16_384);
}
