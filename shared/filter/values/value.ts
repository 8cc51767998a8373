import { allocate } from '../budget.ts';

/** A Python value: int is bigint, float is number, None is null; everything with parts is one of the records below. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | ListValue
  | TupleValue
  | DictValue
  | SetValue
  | RangeValue
  | SliceValue
  | IteratorValue
  | FunctionValue
  | TypeValue
  | ViewValue
  | EllipsisValue;

export interface ListValue {
  readonly type: 'list';
  readonly items: readonly Value[];
}

export interface TupleValue {
  readonly type: 'tuple';
  readonly items: readonly Value[];
}

/** What a Map finds a value under: equal Python values have the same key. */
export type Key = string | bigint | number | null | FunctionValue;

export interface Entry {
  readonly key: Value;
  readonly value: Value;
}

export interface DictValue {
  readonly type: 'dict';
  readonly entries: Map<Key, Entry>;
  /** Whether fields can also be read with a dot, as in `event.source`. */
  readonly isDotted: boolean;
}

export interface SetValue {
  readonly type: 'set';
  readonly members: Map<Key, Value>;
  readonly isFrozen: boolean;
}

export interface RangeValue {
  readonly type: 'range';
  readonly start: bigint;
  readonly stop: bigint;
  readonly step: bigint;
  readonly length: bigint;
}

export interface SliceValue {
  readonly type: 'slice';
  readonly start: Value;
  readonly stop: Value;
  readonly step: Value;
}

export interface IteratorValue {
  readonly type: 'iterator';
  readonly typeName: string;
  /** The next item, or undefined at the end. */
  readonly next: () => Value | undefined;
}

export type Keywords = ReadonlyMap<string, Value>;
export type Call = (positional: readonly Value[], keywords: Keywords) => Value;

export interface FunctionValue {
  readonly type: 'function';
  readonly typeName: string;
  readonly name: string;
  readonly call: Call;
}

export interface TypeValue {
  readonly type: 'type';
  readonly name: string;
  readonly call: Call;
}

export interface ViewValue {
  readonly type: 'view';
  readonly typeName: 'dict_keys' | 'dict_values' | 'dict_items';
  readonly dict: DictValue;
}

export interface EllipsisValue {
  readonly type: 'ellipsis';
}

export const ELLIPSIS: EllipsisValue = { type: 'ellipsis' };
export const NO_KEYWORDS: Keywords = new Map();

export const list = (items: readonly Value[]): ListValue => ({ type: 'list', items });
export const tuple = (items: readonly Value[]): TupleValue => ({ type: 'tuple', items });
export const dict = (isDotted = false): DictValue => ({ type: 'dict', entries: new Map(), isDotted });
export const set = (isFrozen = false): SetValue => ({ type: 'set', members: new Map(), isFrozen });
export const view = (typeName: ViewValue['typeName'], of: DictValue): ViewValue => ({
  type: 'view',
  typeName,
  dict: of,
});
export const iterator = (typeName: string, next: IteratorValue['next']): IteratorValue => ({
  type: 'iterator',
  typeName,
  next,
});

export function range(start: bigint, stop: bigint, step: bigint): RangeValue {
  const distance = step > 0n ? stop - start : start - stop;
  const stride = step > 0n ? step : -step;
  const length = distance > 0n ? (distance + stride - 1n) / stride : 0n;
  return { type: 'range', start, stop, step, length };
}

/** A list or tuple literal being built, accounted for. */
export function accounted<Collection extends ListValue | TupleValue>(collection: Collection): Collection {
  allocate(collection.items.length * 8 + 16);
  return collection;
}
