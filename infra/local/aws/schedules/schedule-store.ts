import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { StoredSchedule, type Schedule } from './schedule.ts';

const Row = z
  .object({
    grouping: z.string(),
    name: z.string(),
    definition: z.string().transform((text) => StoredSchedule.parse(JSON.parse(text))),
    declared: z.number(),
    created_at: z.number(),
    modified_at: z.number(),
    next_at: z.number().nullable(),
    last_at: z.number().nullable(),
  })
  .transform((row): Schedule => ({
    group: row.grouping,
    name: row.name,
    definition: row.definition,
    declared: row.declared === 1,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    nextAt: row.next_at ?? undefined,
    lastAt: row.last_at ?? undefined,
  }));

export interface ScheduleQuery {
  readonly group: string | undefined;
  readonly prefix: string;
  /** `group/name` of the last one seen. */
  readonly after: string;
  readonly limit: number;
}

export type ScheduleStore = ReturnType<typeof createScheduleStore>;

export function createScheduleStore(db: DatabaseSync) {
  const select = db.prepare('SELECT * FROM schedules WHERE grouping = ? AND name = ?');
  const upsert = db.prepare('INSERT OR REPLACE INTO schedules VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM schedules WHERE grouping = ? AND name = ?');
  const due = db.prepare('SELECT * FROM schedules WHERE next_at <= ? ORDER BY next_at LIMIT 100');
  const first = db.prepare('SELECT MIN(next_at) AS at FROM schedules WHERE next_at IS NOT NULL');
  const declared = db.prepare('SELECT * FROM schedules WHERE declared = 1');
  const page = db.prepare(
    `SELECT * FROM schedules WHERE (? IS NULL OR grouping = ?) AND substr(name, 1, length(?)) = ?
     AND grouping || '/' || name > ? ORDER BY grouping || '/' || name LIMIT ?`,
  );
  return {
    get: (group: string, name: string) => z.array(Row).parse(select.all(group, name))[0],
    put: (schedule: Schedule) =>
      void upsert.run(
        schedule.group,
        schedule.name,
        JSON.stringify(schedule.definition),
        schedule.declared ? 1 : 0,
        schedule.createdAt,
        schedule.modifiedAt,
        schedule.nextAt ?? null,
        schedule.lastAt ?? null,
      ),
    remove: (group: string, name: string) => remove.run(group, name).changes > 0,
    due: (now: number) => z.array(Row).parse(due.all(now)),
    firstDueAt: () => z.object({ at: z.number().nullable() }).parse(first.get()).at ?? undefined,
    declared: () => z.array(Row).parse(declared.all()),
    list: ({ group = null, prefix, after, limit }: { group?: string | null } & Omit<ScheduleQuery, 'group'>) =>
      z.array(Row).parse(page.all(group, group, prefix, prefix, after, limit)),
  };
}
