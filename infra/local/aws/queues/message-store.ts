import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import * as z from 'zod';
import { MessageAttribute } from './digest.ts';

const MessageRow = z.object({
  seq: z.number(),
  id: z.string(),
  queue: z.string(),
  visible_at: z.number(),
  sent_at: z.number(),
  receives: z.number(),
  first_received_at: z.number().nullable(),
  receipt: z.string().nullable(),
  /** ARN of the queue a dead letter came from. */
  source: z.string().nullable(),
  trace: z.string().nullable(),
  group_id: z.string().nullable(),
  attributes: z.string().transform((text) => z.record(z.string(), MessageAttribute).parse(JSON.parse(text))),
  body: z.string(),
});
export type MessageRow = z.infer<typeof MessageRow>;
export type NewMessage = Pick<
  MessageRow,
  'id' | 'queue' | 'visible_at' | 'sent_at' | 'trace' | 'group_id' | 'attributes' | 'body'
>;

const SQL = {
  insert: `INSERT INTO messages (id, queue, visible_at, sent_at, trace, group_id, attributes, body)
    VALUES (:id, :queue, :visible_at, :sent_at, :trace, :group_id, :attributes, :body)`,
  visible: 'SELECT * FROM messages WHERE queue = ? AND visible_at <= ? ORDER BY visible_at, seq LIMIT ?',
  page: 'SELECT * FROM messages WHERE queue = ? AND seq > ? ORDER BY seq LIMIT ?',
  find: 'SELECT * FROM messages WHERE seq = ? AND queue = ?',
  nextVisible: 'SELECT MIN(visible_at) AS n FROM messages WHERE queue = ? AND visible_at > ?',
  take: `UPDATE messages SET receipt = :receipt, visible_at = :visibleAt, receives = receives + 1,
    first_received_at = COALESCE(first_received_at, :now) WHERE seq = :seq`,
  hide: 'UPDATE messages SET visible_at = ? WHERE seq = ?',
  bury: 'UPDATE messages SET queue = :queue, source = :source, visible_at = :now, receipt = NULL WHERE seq = :seq',
  revive: `UPDATE messages SET queue = :queue, id = :id, sent_at = :now, visible_at = :now, source = NULL,
    receipt = NULL, receives = 0, first_received_at = NULL WHERE seq = :seq`,
  remove: 'DELETE FROM messages WHERE seq = ?',
  purge: 'DELETE FROM messages WHERE queue = ?',
  expire: 'DELETE FROM messages WHERE queue = ? AND sent_at <= ?',
  releaseAll: 'UPDATE messages SET visible_at = :now WHERE receipt IS NOT NULL AND visible_at > :now',
  countVisible: 'SELECT COUNT(*) AS n FROM messages WHERE queue = ? AND visible_at <= ?',
  countInFlight: 'SELECT COUNT(*) AS n FROM messages WHERE queue = ? AND visible_at > ? AND receipt IS NOT NULL',
  countDelayed: 'SELECT COUNT(*) AS n FROM messages WHERE queue = ? AND visible_at > ? AND receipt IS NULL',
} as const;

export type MessageStore = ReturnType<typeof createMessageStore>;

/** The only file that knows how messages are kept. Access is always by queue and visibility, or by sequence. */
export function createMessageStore(db: DatabaseSync) {
  const compiled = new Map<keyof typeof SQL, StatementSync>();
  const sql = (name: keyof typeof SQL) => {
    const statement = compiled.get(name) ?? db.prepare(SQL[name]);
    compiled.set(name, statement);
    return statement;
  };
  const count = (name: keyof typeof SQL, queue: string, now: number) => numberIn(sql(name).get(queue, now)) ?? 0;
  return {
    insert: ({ attributes, ...message }: NewMessage) =>
      sql('insert').run({ ...message, attributes: JSON.stringify(attributes) }),
    visible: (queue: string, now: number, limit: number) => rows(sql('visible').all(queue, now, limit)),
    page: (queue: string, after: number, limit: number) => rows(sql('page').all(queue, after, limit)),
    find: (seq: number, queue: string) => rows(sql('find').all(seq, queue))[0],
    nextVisibleAt: (queue: string, now: number) => numberIn(sql('nextVisible').get(queue, now)),
    take: (seq: number, lease: { receipt: string; visibleAt: number; now: number }) =>
      sql('take').run({ seq, ...lease }),
    hide: (seq: number, visibleAt: number) => sql('hide').run(visibleAt, seq),
    bury: (seq: number, to: { queue: string; source: string; now: number }) => sql('bury').run({ seq, ...to }),
    revive: (seq: number, to: { queue: string; id: string; now: number }) => sql('revive').run({ seq, ...to }),
    remove: (seq: number) => sql('remove').run(seq),
    purge: (queue: string) => sql('purge').run(queue),
    expire: (queue: string, sentBefore: number) => sql('expire').run(queue, sentBefore),
    releaseAll: (now: number) => sql('releaseAll').run({ now }),
    counts: (queue: string, now: number) => ({
      visible: count('countVisible', queue, now),
      inFlight: count('countInFlight', queue, now),
      delayed: count('countDelayed', queue, now),
    }),
  };
}

const rows = (found: readonly unknown[]) => found.map((row) => MessageRow.parse(row));

const numberIn = (row: Record<string, SQLOutputValue> | undefined) => {
  const value = row?.['n'];
  return typeof value === 'number' ? value : undefined;
};
