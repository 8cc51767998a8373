import * as z from 'zod';
import { createJsonClient } from '../../../../shared/aws/json.ts';

const Stream = z.object({ StreamArn: z.string(), StreamLabel: z.string() });
const Shard = z.object({ ShardId: z.string(), ParentShardId: z.string().optional() });
export type Shard = z.infer<typeof Shard>;

/** Only what the poller itself reads; the rest of a record passes through untouched. */
const StreamRecord = z.looseObject({
  dynamodb: z.looseObject({ SequenceNumber: z.string(), ApproximateCreationDateTime: z.number().optional() }),
});
export type StreamRecord = z.infer<typeof StreamRecord>;

export type StreamStart =
  | { readonly from: 'TRIM_HORIZON' }
  | { readonly from: 'AFTER_SEQUENCE_NUMBER'; readonly sequence: string };

export interface StreamClient {
  /** ARN of the table's newest stream, if it has one. */
  findStream(table: string): Promise<string | undefined>;
  listShards(stream: string): Promise<readonly Shard[]>;
  openShard(stream: string, shard: string, start: StreamStart): Promise<string>;
  /** `next` is undefined when the shard has ended. */
  read(
    iterator: string,
    limit: number,
  ): Promise<{ readonly records: readonly StreamRecord[]; readonly next: string | undefined }>;
}

export function createStreamClient(endpoint: string): StreamClient {
  const operate = createJsonClient('dynamodb', {
    endpoint: new URL(endpoint),
    targetPrefix: 'DynamoDBStreams_20120810',
    version: '1.0',
  });
  return {
    async findStream(table) {
      const { Streams } = z
        .object({ Streams: z.array(Stream) })
        .parse(await operate('ListStreams', { TableName: table }));
      return Streams.toSorted((a, b) => (a.StreamLabel < b.StreamLabel ? 1 : -1))[0]?.StreamArn;
    },
    async listShards(stream) {
      const shards: Shard[] = [];
      for (let after: string | undefined, first = true; first || after; first = false) {
        const page = Description.parse(
          await operate('DescribeStream', { StreamArn: stream, ExclusiveStartShardId: after }),
        );
        shards.push(...page.StreamDescription.Shards);
        after = page.StreamDescription.LastEvaluatedShardId;
      }
      return shards;
    },
    async openShard(stream, shard, start) {
      const sequence = start.from === 'AFTER_SEQUENCE_NUMBER' ? { SequenceNumber: start.sequence } : {};
      const input = { StreamArn: stream, ShardId: shard, ShardIteratorType: start.from, ...sequence };
      return z.object({ ShardIterator: z.string() }).parse(await operate('GetShardIterator', input)).ShardIterator;
    },
    async read(iterator, limit) {
      const page = Page.parse(await operate('GetRecords', { ShardIterator: iterator, Limit: limit }));
      return { records: page.Records, next: page.NextShardIterator ?? undefined };
    },
  };
}

const Description = z.object({
  StreamDescription: z.object({ Shards: z.array(Shard).default([]), LastEvaluatedShardId: z.string().optional() }),
});
const Page = z.object({ Records: z.array(StreamRecord), NextShardIterator: z.string().nullish() });
