import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS queues (
    name TEXT PRIMARY KEY, attributes TEXT NOT NULL, created_at INTEGER NOT NULL, modified_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, queue TEXT NOT NULL, visible_at INTEGER NOT NULL,
    sent_at INTEGER NOT NULL, receives INTEGER NOT NULL DEFAULT 0, first_received_at INTEGER, receipt TEXT,
    source TEXT, trace TEXT, group_id TEXT, attributes TEXT NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS messages_by_visibility ON messages (queue, visible_at);
  CREATE TABLE IF NOT EXISTS schedules (
    grouping TEXT NOT NULL, name TEXT NOT NULL, definition TEXT NOT NULL, declared INTEGER NOT NULL,
    created_at INTEGER NOT NULL, modified_at INTEGER NOT NULL, next_at INTEGER, last_at INTEGER,
    PRIMARY KEY (grouping, name)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS schedules_by_due ON schedules (next_at) WHERE next_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS stream_positions (
    consumer TEXT NOT NULL, stream TEXT NOT NULL, shard TEXT NOT NULL, sequence TEXT NOT NULL,
    PRIMARY KEY (consumer, stream, shard)
  ) STRICT;
`;

/**
 * One file for queues, schedules and stream positions. In WAL mode a killed process loses nothing; a power cut may
 * lose the last commits, but only as one suffix of the log. A position is committed after the messages it caused, so
 * the stream then simply delivers them again. That is also all the table engine promises, hence NORMAL, not FULL.
 */
export function openDatabase(dataDir: string | undefined): DatabaseSync {
  if (dataDir) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(dataDir ? join(dataDir, 'aws.db') : ':memory:');
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    db.exec(SCHEMA);
    return db;
  } catch (error) {
    db.close();
    throw new Error(`Cannot open the local AWS data in ${dataDir}: is another host using it?`, { cause: error });
  }
}

/** All or nothing; inside another `atomically` it joins that one. */
export function atomically<T>(db: DatabaseSync, work: () => T): T {
  if (db.isTransaction) return work();
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
