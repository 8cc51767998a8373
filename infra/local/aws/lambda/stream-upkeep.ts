import { DatabaseSync } from 'node:sqlite';
import { log } from '../../../../shared/log.ts';
import type { StreamPositions } from './stream-positions.ts';

export interface StreamUpkeep {
  /** The table engine's database; the engine must have opened it once. */
  readonly file: string;
  readonly positions: StreamPositions;
  readonly now?: () => number;
}

const DAY = 86_400_000;
const HOUR = 3_600_000;
const BUSY_TIMEOUT = 5000;

/**
 * The engine looks through all stream records at every write and every poll, and never forgets one: ten thousand
 * records make a write ten times slower. An index makes both constant; what every consumer has handled goes after a
 * day, as in DynamoDB.
 */
export function keepStreamsShort(upkeep: StreamUpkeep): { stop(): void } {
  withDatabase(upkeep.file, (db) =>
    db.exec(
      'CREATE INDEX IF NOT EXISTS stream_records_in_order ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
    ),
  );
  trimStreams(upkeep);
  const timer = setInterval(() => trimStreams(upkeep), HOUR).unref();
  return { stop: () => clearInterval(timer) };
}

/** The newest record of a table stays: the engine counts on from it. */
export function trimStreams({ file, positions, now = Date.now }: StreamUpkeep): void {
  const before = Math.floor((now() - DAY) / 1000);
  try {
    withDatabase(file, (db) => {
      const trim = db.prepare(
        `DELETE FROM _stream_records WHERE table_name = ? AND created_at < ? AND CAST(sequence_number AS INTEGER) <= ?
         AND id < (SELECT MAX(id) FROM _stream_records WHERE table_name = ?)`,
      );
      for (const [table, sequence] of positions.handled()) trim.run(table, before, sequence, table);
    });
  } catch (error) {
    log.warn('stream records were not trimmed', { error });
  }
}

function withDatabase(file: string, work: (db: DatabaseSync) => void) {
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT });
  try {
    work(db);
  } finally {
    db.close();
  }
}
