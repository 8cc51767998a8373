import type { Row } from '../store/table.ts';
import { readFields, type RawFields } from './fields.ts';
import type { Objects } from './objects.ts';
import type { Link } from './tree.ts';

/** A message as it is stored: its fields, and what only the server knows about it. */
export interface StoredMessage {
  readonly id: string;
  readonly fields: RawFields;
  /** How often the server itself has written here. */
  readonly revision: number;
  readonly reply: 'running' | 'done' | undefined;
  readonly replyAt: number;
  /** The attribute that holds the list of children, to notice that somebody else has changed it. */
  readonly childrenAt: Attribute | undefined;
}

export interface Attribute {
  readonly name: string;
  readonly value: string;
}

/** Undefined for rows that are not messages, and for messages that were deleted. */
export async function readMessage(row: Row | undefined, objects: Objects): Promise<StoredMessage | undefined> {
  const sk = row?.['sk'];
  if (!row || typeof sk !== 'string' || !sk.startsWith('MSG#') || row['gone'] === true) return undefined;
  const { revision, reply, replyAt } = row;
  return {
    id: sk.slice(4),
    fields: await readFields(row, objects),
    revision: typeof revision === 'number' ? revision : 0,
    reply: reply === 'running' || reply === 'done' ? reply : undefined,
    replyAt: typeof replyAt === 'number' ? replyAt : 0,
    childrenAt: CHILDREN.flatMap((name) => attributeOf(row, name))[0],
  };
}

export const CHILDREN = ['f_childrenIds', 's_childrenIds'];

function attributeOf(row: Row, name: string): Attribute[] {
  const value = row[name];
  return typeof value === 'string' ? [{ name, value }] : [];
}

export const isTombstone = (row: Row | undefined) => row?.['gone'] === true;

export function linkOf({ id, fields }: Pick<StoredMessage, 'id' | 'fields'>): Link {
  const value = (name: string): unknown => {
    const text = fields.get(name);
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  };
  const [parentId, childrenIds, timestamp, modelIdx] = ['parentId', 'childrenIds', 'timestamp', 'modelIdx'].map(value);
  return {
    id,
    parentId: typeof parentId === 'string' ? parentId : null,
    childrenIds: Array.isArray(childrenIds) ? childrenIds.filter((child) => typeof child === 'string') : [],
    timestamp: typeof timestamp === 'number' ? timestamp : 0,
    modelIdx: typeof modelIdx === 'number' ? modelIdx : 0,
  };
}
