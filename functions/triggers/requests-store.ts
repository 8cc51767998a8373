import { when } from '../../shared/store/expression.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import { openTable } from '../../shared/store/table.ts';
import { hookPartition } from '../../shared/triggers/keys.ts';
import type { CursorPage, CursorPaging } from '../../shared/workflow/cursor-page.ts';
import { sortableTime } from '../../shared/workflow/keys.ts';
import { HookRequest, Refusal } from './records.ts';

export interface HookRequests {
  add(hookId: string, request: HookRequest): Promise<void>;
  list(hookId: string, paging: CursorPaging): Promise<CursorPage<HookRequest>>;
  refuse(hookId: string, refusal: Refusal): Promise<void>;
  lastRefusal(hookId: string): Promise<Refusal | undefined>;
}

const table = openTable('workflows');
const KEPT_DAYS = 30;
const REFUSALS_EVERY_MS = 10_000;
const refusalKey = (hookId: string) => ({ pk: hookPartition(hookId), sk: 'REFUSED' });
const ttlFrom = (at: number) => Math.floor(at / 1000) + KEPT_DAYS * 86_400;

export const createHookRequests = (): HookRequests => ({
  async add(hookId, request) {
    const sk = `R#${sortableTime(request.received_at)}#${request.delivery_id.slice(0, 200)}`;
    await table.put({ pk: hookPartition(hookId), sk, ...request, ttl: ttlFrom(request.received_at) });
  },
  async list(hookId, paging) {
    const { rows, cursor } = await table.query({
      pk: hookPartition(hookId),
      prefix: 'R#',
      newestFirst: true,
      ...paging,
    });
    return { data: rows.map((row) => HookRequest.parse(row)), next_cursor: cursor ?? null };
  },
  async refuse(hookId, { at, reason }) {
    const isDue = when('attribute_not_exists(pk) OR #at < :before', { before: at - REFUSALS_EVERY_MS });
    await table.put({ ...refusalKey(hookId), at, reason, ttl: ttlFrom(at) }, isDue).catch((error: unknown) => {
      if (!(error instanceof ConditionFailed)) throw error;
    });
  },
  async lastRefusal(hookId) {
    const row = await table.get(refusalKey(hookId));
    return row && Refusal.parse(row);
  },
});
