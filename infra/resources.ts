import type { Routes } from '../shared/http/route.ts';

/** The platform as plain data, together with family-list.ts and job-list.ts. The cloud stacks and the local host are two loops over it. */

export interface TableSpec {
  /** Global secondary indexes by name; each has string keys `<name>pk` and `<name>sk`. */
  readonly indexes?: Readonly<Record<string, 'all' | 'keys'>>;
  /** Rows with a `ttl` attribute (epoch seconds) disappear some time after it. */
  readonly expires?: boolean;
  /** Changes are delivered to the job that names this table as its source. */
  readonly stream?: boolean;
  /** What whoever may read it may also write: in rows whose `pk` looks like this, this one attribute. */
  readonly marks?: Readonly<Record<string, string>>;
}

/** Every table has the string keys `pk` and `sk`. */
export const TABLES = {
  accounts: { expires: true, indexes: { gsi1: 'all' }, marks: { 'AK#*': 'lastUsedAt', 'USER#*': 'lastSeenAt' } },
  admin_accounts: { expires: true, indexes: { gsi1: 'all' } },
  chats: { expires: true, indexes: { gsi1: 'all' } },
  files: { expires: true, indexes: { gsi1: 'all' } },
  signing: { expires: true, indexes: { gsi1: 'all' } },
  events: { expires: true, stream: true, indexes: { gsi1: 'keys', gsi2: 'keys', gsi3: 'keys', gsi4: 'keys' } },
  workflows: { expires: true, stream: true, indexes: { gsi1: 'all', gsi2: 'all' } },
  realtime: { expires: true, indexes: { gsi1: 'all' } },
  settings: {},
} as const satisfies Record<string, TableSpec>;

export interface BucketSpec {
  /** Browsers send and fetch objects themselves, by presigned addresses. */
  readonly presigned?: true;
  /** Objects under a prefix go after so many days. */
  readonly expires?: Readonly<Record<string, number>>;
}

/** `content` holds values too large for a row; `files` holds what people upload. */
export const BUCKETS = {
  content: { expires: { 'events/': 100, 'runs/': 800 } },
  files: { presigned: true },
} as const satisfies Record<string, BucketSpec>;

export interface QueueSpec {
  /** Seconds a message is hidden while one consumer works on it. */
  readonly visibility: number;
  readonly maxReceives: number;
}

/** Each queue has a dead-letter queue named `<name>-dead`. */
export const QUEUES = {
  mail: { visibility: 60, maxReceives: 5 },
  dispatch: { visibility: 120, maxReceives: 5 },
  runs: { visibility: 900, maxReceives: 5 },
  schedule: { visibility: 60, maxReceives: 5 },
  realtime: { visibility: 30, maxReceives: 3 },
} as const satisfies Record<string, QueueSpec>;

export interface BusRule {
  readonly detailType: string;
  readonly queue: QueueName;
}

export const BUS_RULES: readonly BusRule[] = [{ detailType: 'bus_event', queue: 'dispatch' }];

export type TableName = keyof typeof TABLES;
export type BucketName = keyof typeof BUCKETS;
export type QueueName = keyof typeof QUEUES;

/** What a function may touch; its role gets exactly these actions. `write` includes `read`, `append` is `read` and `insert`; `insert` can neither change nor read. */
export interface Needs {
  readonly tables?: Partial<Record<TableName, 'read' | 'insert' | 'append' | 'write'>>;
  readonly buckets?: Partial<Record<BucketName, 'read' | 'write'>>;
  readonly queues?: readonly QueueName[];
  readonly publishes?: boolean;
  readonly schedules?: boolean;
  readonly sockets?: boolean;
  readonly mail?: boolean;
  readonly seals?: boolean;
}

export interface FamilySpec extends Needs {
  readonly routes: Routes;
  /** Greedy gateway prefixes; the exact match happens in the router. A `{name}` in one is any segment; the more literal prefix wins. */
  readonly prefixes: readonly `/${string}`[];
  readonly memory: number;
  /** Seconds; buffered routes are cut at 29 whatever this says. */
  readonly timeout: number;
  /** Also answers every path that no family claims, so that unknown paths fail in the documented shape. */
  readonly fallback?: true;
  /** Files laid beside the deployed bundle: name there → path in the repository. */
  readonly assets?: Readonly<Record<string, string>>;
  /** Scripts and styles for browsers, laid there too: each as one file with everything it imports. */
  readonly browser?: Readonly<Record<string, string>>;
}

export type JobSource =
  | { readonly table: TableName }
  | { readonly queue: QueueName; readonly batch: number }
  | { readonly every: 'minute' | 'hour' | 'day' }
  /** All three routes of the WebSocket API. */
  | { readonly sockets: true };

export interface JobSpec extends Needs {
  /** Path of the module whose `handler` runs. */
  readonly entry: `functions/${string}.ts`;
  readonly source: JobSource;
  readonly memory: number;
  readonly timeout: number;
}
