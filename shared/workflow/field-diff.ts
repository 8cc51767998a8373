import { canonicalJson } from './canonical.ts';
import { lineDiff, type LineChange } from './line-diff.ts';

/** One field that differs between two versions; `path` is dotted, list positions are numbers. */
export interface FieldChange {
  readonly path: string;
  readonly op: 'added' | 'removed' | 'changed';
  readonly before?: unknown;
  readonly after?: unknown;
  /** Line by line, for texts of several lines. */
  readonly lines?: LineChange[];
}

export function diffFields(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (before === after) return [];
  if (before === undefined) return [{ path, op: 'added', after }];
  if (after === undefined) return [{ path, op: 'removed', before }];
  if (isBranch(before) && isBranch(after) && Array.isArray(before) === Array.isArray(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => diffFields(before[key], after[key], path ? `${path}.${key}` : key));
  }
  if (canonicalJson(before) === canonicalJson(after)) return [];
  return [{ path, op: 'changed', before, after, ...linesOf(before, after) }];
}

const isBranch = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const linesOf = (before: unknown, after: unknown) =>
  typeof before === 'string' && typeof after === 'string' && (before.includes('\n') || after.includes('\n'))
    ? { lines: lineDiff(before, after) }
    : {};
