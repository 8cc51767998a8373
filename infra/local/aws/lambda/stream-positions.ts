import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';

/** How far each consumer has come in each shard of a table's stream. */
export interface StreamPositions {
  get(place: StreamPlace): string | undefined;
  set(place: StreamPlace, sequence: string): void;
  /** Per table, the last sequence number that every consumer has handled. */
  handled(): ReadonlyMap<string, bigint>;
}

export interface StreamPlace {
  readonly consumer: string;
  readonly stream: string;
  readonly shard: string;
}

const Row = z.object({ stream: z.string(), sequence: z.string() });

export function createStreamPositions(db: DatabaseSync): StreamPositions {
  const select = db.prepare(
    'SELECT stream, sequence FROM stream_positions WHERE consumer = ? AND stream = ? AND shard = ?',
  );
  const upsert = db.prepare('INSERT OR REPLACE INTO stream_positions VALUES (?, ?, ?, ?)');
  const all = db.prepare('SELECT stream, sequence FROM stream_positions');
  return {
    get: ({ consumer, stream, shard }) => Row.optional().parse(select.get(consumer, stream, shard))?.sequence,
    set: ({ consumer, stream, shard }, sequence) => void upsert.run(consumer, stream, shard, sequence),
    handled: () => lowest(z.array(Row).parse(all.all())),
  };
}

/** A table that was made again has a new stream; positions in the old one say nothing. */
function lowest(rows: readonly z.infer<typeof Row>[]): ReadonlyMap<string, bigint> {
  const byTable = Map.groupBy(rows, ({ stream }) => /:table\/([^/]+)\//.exec(stream)?.[1] ?? '');
  return new Map(
    [...byTable].map(([table, positions]) => {
      const newest = positions.reduce((latest, { stream }) => (stream > latest ? stream : latest), '');
      const sequences = positions.filter(({ stream }) => stream === newest).map(({ sequence }) => BigInt(sequence));
      return [table, sequences.reduce((low, sequence) => (sequence < low ? sequence : low))];
    }),
  );
}
