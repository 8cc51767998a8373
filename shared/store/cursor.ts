import { AppError } from '../errors.ts';

/** Where the next page starts. Opaque to callers; a query's own partition key bounds what a forged one could reach. */
export const encodeCursor = (key: Readonly<Record<string, unknown>>) =>
  Buffer.from(JSON.stringify(key)).toString('base64url');

export function decodeCursor(cursor: string): Record<string, string> {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (isKey(key)) return key;
  } catch {
    // falls through to the one answer for every broken cursor
  }
  throw new AppError('invalid_request', 'The cursor is not one of ours');
}

const isKey = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((part) => typeof part === 'string');
