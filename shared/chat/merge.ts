import { invalid, type Problem } from '../errors.ts';
import type { Millis } from '../time.ts';
import { toRaw, type Fields, type RawFields } from './fields.ts';
import { MAX_FIELDS, NewMessage, type MessagePatch } from './message.ts';
import type { Attribute, StoredMessage } from './row.ts';

/** What saving one message comes down to. A condition names what must still be as it was when this was decided. */
export type Plan =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'create'; readonly fields: RawFields }
  | { readonly kind: 'update'; readonly fields: RawFields; readonly unless: Unless };

export interface Unless {
  /** The server has written to the message since. */
  readonly revision?: number;
  /** Somebody else has changed the list of children since. */
  readonly children?: { readonly at: Attribute | undefined };
}

export interface Arrival {
  readonly id: string;
  readonly patch: MessagePatch;
  readonly stored: StoredMessage | undefined;
  readonly now: Millis;
}

/** Merges per field: what was not sent stays, what is the same is not written, children are never lost. */
export function planMessage({ id, patch, stored, now }: Arrival): Plan {
  if (!stored) return { kind: 'create', fields: toRaw(completeMessage(id, patch)) };
  const { childrenIds, ...rest } = withoutReplyFields(patch, stored, now);
  const changed = new Map([...toRaw({ ...rest, id })].filter(([name, text]) => stored.fields.get(name) !== text));
  const before = stored.fields.get('childrenIds');
  const grown = childrenIds && union(before, childrenIds);
  if (grown) changed.set('childrenIds', grown);
  if (changed.size === 0) return { kind: 'nothing' };
  demandFewFields(id, stored.fields, changed);
  const touchesReply = stored.revision > 0 && REPLY_FIELDS.some((name) => changed.has(name));
  return {
    kind: 'update',
    fields: changed,
    unless: {
      ...(touchesReply && { revision: stored.revision }),
      ...(grown && { children: { at: stored.childrenAt } }),
    },
  };
}

/** The sent list with what it adds; undefined when it adds nothing. */
function union(before: string | undefined, sent: readonly string[]): string | undefined {
  const known = before === undefined ? [] : (JSON.parse(before) as string[]);
  const all = new Set([...known, ...sent]);
  return before !== undefined && all.size === known.length ? undefined : JSON.stringify([...all]);
}

function completeMessage(id: string, patch: MessagePatch): Fields {
  const result = NewMessage.safeParse({ ...patch, id });
  if (!result.success) throw invalid(result.error.issues.map((issue) => problemAt(id, issue, patch)));
  return result.data.role === 'assistant' ? { done: false, ...result.data } : result.data;
}

function problemAt(id: string, issue: { path: PropertyKey[]; message: string; code: string }, patch: object): Problem {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  const loc = ['body', 'chat', 'history', 'messages', id, ...path];
  const isMissing = path.length === 1 && !Object.hasOwn(patch, path[0] ?? '');
  return isMissing ? { type: 'missing', loc, msg: 'Field required' } : { type: issue.code, loc, msg: issue.message };
}

/** What the reply of a model consists of. While it is written, and against older copies of it, these are the server's. */
const REPLY_FIELDS = ['content', 'done', 'error', 'usage', 'output'];

function withoutReplyFields(patch: MessagePatch, stored: StoredMessage, now: Millis): MessagePatch {
  const isServers = stored.revision > 0 && (isBeingWritten(stored, now) || isOlderCopy(patch, stored));
  if (!isServers) return patch;
  return Object.fromEntries(Object.entries(patch).filter(([name]) => !REPLY_FIELDS.includes(name)));
}

/** Longer than any function can run, so a writer that died does not lock its message for good. */
const LONGEST_SILENCE_MS = 15 * 60_000;

const isBeingWritten = ({ reply, replyAt }: StoredMessage, now: Millis) =>
  reply === 'running' && now - replyAt < LONGEST_SILENCE_MS;

/**
 * A client that has not seen the whole reply yet sends the start of it, or nothing, without `done`. Saving that would
 * wipe the reply. An edit differs from the reply, or says that it is complete.
 */
function isOlderCopy(patch: MessagePatch, stored: StoredMessage): boolean {
  if (patch.done === true) return false;
  if (patch.done === false && stored.reply === 'done') return true;
  if (patch.content === undefined) return false;
  const text: unknown = JSON.parse(stored.fields.get('content') ?? '""');
  return typeof text === 'string' && text.startsWith(patch.content);
}

function demandFewFields(id: string, stored: RawFields, changed: RawFields) {
  if (new Set([...stored.keys(), ...changed.keys()]).size <= MAX_FIELDS) return;
  const loc = ['body', 'chat', 'history', 'messages', id];
  throw invalid([{ type: 'too_long', loc, msg: `A message has at most ${MAX_FIELDS} fields` }]);
}
