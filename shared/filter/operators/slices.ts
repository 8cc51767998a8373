import { allocateItems } from '../budget.ts';
import { budgetError, typeError, valueError } from '../errors.ts';
import { clampedIndex, integerOf, isInteger } from '../values/numeric.ts';
import { range, type RangeValue, type SliceValue, type Value } from '../values/value.ts';

interface Bounds {
  readonly start: number;
  readonly stop: number;
  readonly stride: number;
}

const LONGEST = 1n << 50n;

export function sliceItems<Item>(items: readonly Item[], slice: SliceValue): readonly Item[] {
  const { start, stop, stride } = boundsOf(slice, items.length);
  const length = Math.max(0, Math.ceil((stop - start) / stride));
  allocateItems(length);
  if (stride === 1) return items.slice(start, start + length);
  return Array.from({ length }, (_, index) => items[start + index * stride]).filter((item) => item !== undefined);
}

export function sliceRange(source: RangeValue, slice: SliceValue): RangeValue {
  if (source.length > LONGEST) throw budgetError('range too long to slice');
  const { start, stop, stride } = boundsOf(slice, Number(source.length));
  const at = (index: number) => source.start + BigInt(index) * source.step;
  return range(at(start), at(stop), source.step * BigInt(stride));
}

/** Where a slice begins and ends in a sequence of this length, in the direction of its stride. */
function boundsOf(slice: SliceValue, length: number): Bounds {
  const stride = bound(slice.step) ?? 1;
  if (stride === 0) throw valueError('slice step cannot be zero');
  const [lowest, highest] = stride > 0 ? [0, length] : [-1, length - 1];
  const within = (position: number) => Math.min(Math.max(position < 0 ? position + length : position, lowest), highest);
  const [start, stop] = [bound(slice.start), bound(slice.stop)];
  return {
    start: start === undefined ? (stride > 0 ? lowest : highest) : within(start),
    stop: stop === undefined ? (stride > 0 ? highest : lowest) : within(stop),
    stride,
  };
}

function bound(value: Value): number | undefined {
  if (value === null) return undefined;
  if (!isInteger(value)) throw typeError('slice indices must be integers or None or have an __index__ method');
  return clampedIndex(integerOf(value));
}
