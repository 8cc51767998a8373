import { newId } from '../ids.ts';
import { log } from '../log.ts';
import { openTable, type Key, type Row } from '../store/table.ts';
import { putting, type Operation } from '../store/transaction.ts';
import type { Clock, Millis } from '../time.ts';
import type { AuditEntry } from './entry.ts';

export interface Act {
  readonly action: string;
  readonly actor: AuditEntry['actor'];
  readonly outcome?: AuditEntry['outcome'];
  readonly orgId?: string | null;
  readonly target?: AuditEntry['target'];
  readonly ip?: string | null;
  readonly requestId?: string | null;
  readonly details?: AuditEntry['details'];
}

/** Rows of `accounts`: `AUD#<orgId|platform>#<yyyymm> / <milliseconds>#<id>`, so a month of one organization is one query. */
export interface Audit {
  /** Never fails the act it records: a lost row is logged instead. */
  record(act: Act): Promise<void>;
  /** The same as a row of the act's own transaction: it is recorded exactly when it happened. */
  recording(act: Act): Operation;
}

const accounts = openTable('accounts');

export const createAudit = (now: Clock): Audit => ({
  async record(act) {
    const row = rowOf(act, now());
    await accounts.put(row).catch((error: unknown) => log.error('audit row lost', { reason: act.action, error }));
  },
  recording: (act) => putting('audit', accounts, rowOf(act, now())),
});

function rowOf(act: Act, at: Millis): Row & Key {
  const { outcome = 'success', orgId = null, target = null, ip = null, requestId = null, details = {} } = act;
  const entry: AuditEntry = {
    id: newId(),
    at,
    action: act.action,
    actor: act.actor,
    outcome,
    orgId,
    target,
    ip,
    requestId,
    details,
  };
  return { ...auditKey(orgId, entry), ...entry };
}

export const auditPartition = (orgId: string | null, month: string) => `AUD#${orgId ?? 'platform'}#${month}`;

/** `202611`, of UTC. */
export const auditMonth = (at: number) => new Date(at).toISOString().slice(0, 7).replace('-', '');

const auditKey = (orgId: string | null, { id, at }: Pick<AuditEntry, 'id' | 'at'>): Key => ({
  pk: auditPartition(orgId, auditMonth(at)),
  sk: `${auditTime(at)}#${id}`,
});

export const auditTime = (at: number) => String(at).padStart(14, '0');
