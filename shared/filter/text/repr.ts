import { allocate, step } from '../budget.ts';
import { iterate } from '../values/iterate.ts';
import { typeName, type Composite } from '../values/kinds.ts';
import type { Entry, RangeValue, SetValue, TupleValue, Value } from '../values/value.ts';
import { floatText, integerText } from './number-text.ts';
import { quote } from './quote.ts';

/** str(value) */
export const textOf = (value: Value): string => (typeof value === 'string' ? value : repr(value));

/** repr(value) */
export function repr(value: Value): string {
  step();
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'bigint') return integerText(value);
  if (typeof value === 'number') return floatText(value);
  if (typeof value === 'string') return quote(value);
  return compositeText(value);
}

function compositeText(value: Composite): string {
  switch (value.type) {
    case 'list':
      return `[${joined(value.items, repr)}]`;
    case 'tuple':
      return tupleText(value);
    case 'dict':
      return `{${joined(value.entries.values(), entryText)}}`;
    case 'set':
      return setText(value);
    case 'range':
      return rangeText(value);
    case 'view':
      return `${value.typeName}([${joined(iterate(value), repr)}])`;
    case 'slice':
      return `slice(${joined([value.start, value.stop, value.step], repr)})`;
    case 'type':
      return `<class '${value.name}'>`;
    case 'function':
      return `<${value.typeName} ${value.name}>`;
    case 'iterator':
      return `<${typeName(value)} object>`;
    case 'ellipsis':
      return 'Ellipsis';
  }
}

function joined<Part>(parts: Iterable<Part>, write: (part: Part) => string): string {
  const texts: string[] = [];
  for (const part of parts) {
    const text = write(part);
    allocate(text.length + 2);
    texts.push(text);
  }
  return texts.join(', ');
}

const entryText = ({ key, value }: Entry) => `${repr(key)}: ${repr(value)}`;

const tupleText = ({ items }: TupleValue) =>
  items.length === 1 ? `(${joined(items, repr)},)` : `(${joined(items, repr)})`;

function setText({ members, isFrozen }: SetValue): string {
  if (members.size === 0) return isFrozen ? 'frozenset()' : 'set()';
  const body = `{${joined(members.values(), repr)}}`;
  return isFrozen ? `frozenset(${body})` : body;
}

const rangeText = ({ start, stop, step: stride }: RangeValue) =>
  stride === 1n ? `range(${start}, ${stop})` : `range(${start}, ${stop}, ${stride})`;
