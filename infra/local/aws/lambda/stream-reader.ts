import { AwsError } from '../../../../shared/aws/client.ts';
import type { Shard, StreamClient, StreamRecord, StreamStart } from './stream-client.ts';
import type { StreamPositions } from './stream-positions.ts';

export interface StreamSource {
  readonly client: StreamClient;
  readonly table: string;
  readonly consumer: string;
  readonly positions: StreamPositions;
  readonly batchSize: number;
}

/** Records of one shard, in order. Handling them commits; what is not committed is read again. */
export interface StreamBatch {
  readonly stream: string;
  readonly shard: string;
  readonly records: readonly StreamRecord[];
  commit(sequence: string): void;
}

/** Hands each shard's next batch to `handle`; a parent shard is finished before its children. Returns how many records there were. */
export type ReadStream = (handle: (batch: StreamBatch) => Promise<void>) => Promise<number>;

interface OpenShard {
  readonly stream: string;
  readonly id: string;
  iterator: string | undefined;
}

/** The stream is looked up anew this often: its table may have been made again. */
const LOOKUP_MS = 5000;

export function createStreamReader(source: StreamSource): ReadStream {
  const finished = new Set<string>();
  let shards: readonly OpenShard[] = [];
  let lookedUpAt = -Infinity;
  return async (handle) => {
    if (performance.now() - lookedUpAt > LOOKUP_MS) {
      const stream = await findStream(source);
      // Listing shards makes the engine read its whole log, so it is done only when something has changed.
      if (shards.length === 0 || shards.some((shard) => shard.stream !== stream || shard.iterator === undefined))
        shards = await openShards(source, stream, { known: shards, finished });
      lookedUpAt = performance.now();
    }
    let count = 0;
    for (const shard of shards) {
      count += await readShard(source, shard, handle);
      if (shard.iterator !== undefined) continue;
      finished.add(shard.id);
      lookedUpAt = -Infinity;
    }
    return count;
  };
}

async function findStream({ client, table }: StreamSource) {
  const stream = await client.findStream(table);
  if (stream === undefined) throw new Error(`The table ${table} has no stream`);
  return stream;
}

interface Known {
  readonly known: readonly OpenShard[];
  readonly finished: ReadonlySet<string>;
}

async function openShards(source: StreamSource, stream: string, { known, finished }: Known): Promise<OpenShard[]> {
  const all = await source.client.listShards(stream);
  const ids = new Set(all.map(({ ShardId }) => ShardId));
  const isReady = ({ ShardId, ParentShardId: parent }: Shard) =>
    !finished.has(ShardId) && (parent === undefined || !ids.has(parent) || finished.has(parent));
  return Promise.all(
    all.filter(isReady).map(async ({ ShardId: id }) => {
      const same = known.find((shard) => shard.stream === stream && shard.id === id);
      if (same) return same;
      return { stream, id, iterator: await source.client.openShard(stream, id, startOf(source, stream, id)) };
    }),
  );
}

/** After the last handled record; a consumer that was never here begins with the oldest. */
function startOf({ consumer, positions }: StreamSource, stream: string, shard: string): StreamStart {
  const sequence = positions.get({ consumer, stream, shard });
  return sequence === undefined ? { from: 'TRIM_HORIZON' } : { from: 'AFTER_SEQUENCE_NUMBER', sequence };
}

async function readShard(source: StreamSource, shard: OpenShard, handle: (batch: StreamBatch) => Promise<void>) {
  const { client, consumer, positions, batchSize } = source;
  if (shard.iterator === undefined) return 0;
  const page = await client.read(shard.iterator, batchSize).catch((error: unknown) => reopen(source, shard, error));
  if (page.records.length > 0)
    await handle({
      stream: shard.stream,
      shard: shard.id,
      records: page.records,
      commit: (sequence) => positions.set({ consumer, stream: shard.stream, shard: shard.id }, sequence),
    });
  shard.iterator = page.next;
  return page.records.length;
}

/** Iterators live fifteen minutes and records a day; a laptop that slept finds either gone. */
async function reopen(source: StreamSource, { stream, id }: OpenShard, error: unknown) {
  const code = error instanceof AwsError ? error.code : undefined;
  if (code !== 'ExpiredIteratorException' && code !== 'TrimmedDataAccessException') throw error;
  const start: StreamStart =
    code === 'ExpiredIteratorException' ? startOf(source, stream, id) : { from: 'TRIM_HORIZON' };
  return { records: [], next: await source.client.openShard(stream, id, start) };
}
