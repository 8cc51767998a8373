import { AppError } from '../errors.ts';

/** Where the next page starts. Opaque to callers. */
export const encodeCursor = (key: Readonly<Record<string, unknown>>) =>
  Buffer.from(JSON.stringify(key)).toString('base64url');

export function decodeCursor(cursor: string): Record<string, string> {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (isKey(key)) return key;
  } catch {
    // falls through to the one answer for every broken cursor
  }
  throw notOurs();
}

interface Bounds {
  readonly pk: string;
  readonly index?: string;
  readonly prefix?: string;
  readonly between?: readonly [from: string, to: string];
}

/** The key to go on from. One that was tampered with, or belongs to another list, is refused before the database sees it. */
export function decodeStartKey(
  cursor: string,
  { pk, index = '', prefix = '', between }: Bounds,
): Record<string, string> {
  const key = decodeCursor(cursor);
  const names = ['pk', 'sk', ...(index ? [`${index}pk`, `${index}sk`] : [])];
  const at = key[`${index}sk`] ?? '';
  const isComplete = Object.keys(key).length === names.length && names.every((name) => Object.hasOwn(key, name));
  const isInside = at.startsWith(prefix) && (!between || (at >= between[0] && at <= between[1]));
  if (!isComplete || key[`${index}pk`] !== pk || !isInside) throw notOurs();
  return key;
}

const notOurs = () => new AppError('invalid_request', 'The cursor is not one of ours');

const isKey = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((part) => typeof part === 'string');
