import { AppError } from '../errors.ts';
import { openTable } from '../store/table.ts';
import { auditMonth, auditPartition, auditTime } from './audit.ts';
import { AuditEntry } from './entry.ts';

export interface AuditQuery {
  /** Null reads what concerns no organization. */
  readonly orgId: string | null;
  /** Epoch milliseconds, both included. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly cursor?: string;
  readonly action?: string;
  readonly actorId?: string;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly cursor: string | undefined;
}

const accounts = openTable('accounts');
const MOST_QUERIES = 30;
const PAGE = 200;

/** Newest first. One call asks a bounded number of questions; a rare action may need the cursor before it is found. */
export async function readAudit(query: AuditQuery): Promise<AuditPage> {
  const found: AuditEntry[] = [];
  let place = placeOf(query);
  for (let asked = 0; asked < MOST_QUERIES && place && found.length < query.limit; asked += 1) {
    place = await readOn(query, place, found);
  }
  return { entries: found, cursor: place && encode(place) };
}

interface Place {
  readonly month: string;
  /** Entries up to this sort key are still to be read. */
  readonly before: string;
}

/** One query downwards from a place; answers where to go on. */
async function readOn(query: AuditQuery, { month, before }: Place, found: AuditEntry[]): Promise<Place | undefined> {
  if (before < auditTime(query.from)) return undefined;
  const pk = auditPartition(query.orgId, month);
  const between = [auditTime(query.from), before] as const;
  const { rows, cursor } = await accounts.query({ pk, between, newestFirst: true, limit: PAGE });
  const entries = rows.map((row) => AuditEntry.parse(row));
  for (const entry of entries) {
    if (isWanted(entry, query)) found.push(entry);
    if (found.length === query.limit) return { month, before: justBefore(entry) };
  }
  const last = entries.at(-1);
  return cursor !== undefined && last ? { month, before: justBefore(last) } : monthBefore(month, query.from);
}

const isWanted = (entry: AuditEntry, { action, actorId }: AuditQuery) =>
  (action === undefined || entry.action === action || entry.action.startsWith(`${action}.`)) &&
  (actorId === undefined || entry.actor.id === actorId);

const LAST = '\u{10FFFF}';
/** Ids are lower-case hex and dashes; cutting the last character and adding a lower one sorts right before. */
const justBefore = ({ at, id }: AuditEntry) => `${auditTime(at)}#${id.slice(0, -1)}${predecessor(id.slice(-1))}`;
const predecessor = (sign: string) => `${String.fromCodePoint((sign.codePointAt(0) ?? 1) - 1)}${LAST}`;

function monthBefore(month: string, from: number): Place | undefined {
  const year = Number(month.slice(0, 4));
  const previous = new Date(Date.UTC(year, Number(month.slice(4)) - 2, 1)).getTime();
  const name = auditMonth(previous);
  return name < auditMonth(from) ? undefined : { month: name, before: LAST };
}

function placeOf({ cursor, to }: AuditQuery): Place | undefined {
  if (cursor === undefined) return { month: auditMonth(to), before: `${auditTime(to)}#${LAST}` };
  const [month = '', before] = Buffer.from(cursor, 'base64url').toString('utf8').split('|');
  if (!/^\d{6}$/.test(month) || before === undefined)
    throw new AppError('invalid_request', 'The cursor is not one of ours');
  return { month, before };
}

const encode = ({ month, before }: Place) => Buffer.from(`${month}|${before}`).toString('base64url');
