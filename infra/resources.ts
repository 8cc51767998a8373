import type { Routes } from '../shared/http/route.ts';
import { CONTRACTS } from '../functions/contracts.ts';

/** The platform as plain data. The cloud stacks and the local host are two loops over this file. */

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
  content: { expires: { 'events/': 100 } },
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
}

/** One family = one folder = `functions/<name>/handler.ts`, deployed as a buffered function, a streaming one, or both. */
export const FAMILIES = {
  models: {
    routes: CONTRACTS.models,
    prefixes: ['/api/models', '/api/v1/models', '/api/v1/connections'],
    tables: { settings: 'write', accounts: 'read', admin_accounts: 'read' },
    seals: true,
    memory: 512,
    timeout: 29,
  },
  admin: {
    routes: CONTRACTS.admin,
    prefixes: ['/api/admin'],
    tables: { accounts: 'write', admin_accounts: 'write' },
    queues: ['mail'],
    memory: 1024,
    timeout: 29,
  },
  accounts: {
    routes: CONTRACTS.accounts,
    prefixes: ['/api/auth', '/api/v1/auths', '/account'],
    tables: { accounts: 'write', admin_accounts: 'read' },
    queues: ['mail'],
    seals: true,
    memory: 1769, // a whole processor: password hashes are the slowest thing here
    timeout: 29,
  },
  chats: {
    routes: CONTRACTS.chats,
    prefixes: ['/api/v1/chats', '/api/v1/folders'],
    tables: { chats: 'write', accounts: 'read', admin_accounts: 'read', realtime: 'write' },
    buckets: { content: 'write' },
    sockets: true,
    memory: 1024,
    timeout: 300,
  },
  completions: {
    routes: CONTRACTS.completions,
    prefixes: [
      '/api/chat',
      '/api/v1/chat',
      '/api/message',
      '/api/v1/messages',
      '/api/responses',
      '/api/v1/responses',
      '/api/tasks',
      '/api/v1/tasks',
    ],
    tables: { chats: 'write', accounts: 'write', admin_accounts: 'read', realtime: 'write', settings: 'write' },
    buckets: { content: 'write' },
    sockets: true,
    seals: true,
    memory: 512,
    timeout: 900, // a reply runs to its end
  },
  events: {
    routes: CONTRACTS.events,
    prefixes: ['/api/v1/events'],
    tables: { events: 'append', workflows: 'write', accounts: 'write', admin_accounts: 'read' },
    buckets: { content: 'write' },
    queues: ['dispatch'],
    memory: 512,
    timeout: 900, // how long the live stream may last
  },
  org: {
    routes: CONTRACTS.org,
    prefixes: ['/api/org'],
    tables: { accounts: 'write', admin_accounts: 'read' },
    queues: ['mail'],
    memory: 512,
    timeout: 29,
  },
  workflows: {
    routes: CONTRACTS.workflows,
    prefixes: ['/api/v1/agent-workflows', '/api/v1/catalogs', '/api/v1/spaces'],
    tables: { workflows: 'write', accounts: 'read', admin_accounts: 'read' },
    buckets: { content: 'write' },
    seals: true,
    memory: 512,
    timeout: 29,
  },
  plugins: {
    routes: CONTRACTS.plugins,
    prefixes: [
      '/api/v1/functions',
      '/api/v1/tools',
      '/api/v1/configs/tool_servers',
      '/api/v1/memories',
      '/api/chat/actions',
      '/oauth/clients',
    ],
    tables: { settings: 'write', realtime: 'write', chats: 'write', accounts: 'read', admin_accounts: 'read' },
    buckets: { content: 'write' },
    sockets: true,
    seals: true,
    memory: 1024, // plugins run in threads of their own beside it
    timeout: 600,
  },
  realtime: {
    routes: CONTRACTS.realtime,
    prefixes: ['/api/v1/realtime'],
    tables: { realtime: 'read', accounts: 'read', admin_accounts: 'read' },
    memory: 512,
    timeout: 29,
  },
  runs: {
    routes: CONTRACTS.runs,
    prefixes: [
      '/api/v1/agent-workflows/{id}/runs',
      '/api/v1/agent-workflows/{id}/stats',
      '/api/v1/agent-workflows/runs',
      '/api/v1/agent-workflows/tasks',
      '/api/public/workflow-tasks',
    ],
    tables: { workflows: 'write', accounts: 'read', admin_accounts: 'read' },
    buckets: { content: 'write' },
    memory: 512,
    timeout: 900, // how long a run may be followed
  },
  runtime: {
    routes: CONTRACTS.runtime,
    prefixes: ['/upstream'],
    tables: { accounts: 'write', admin_accounts: 'read', settings: 'write' },
    seals: true,
    memory: 512,
    timeout: 900, // a reply runs to its end
  },
  triggers: {
    routes: CONTRACTS.triggers,
    prefixes: ['/api/v1/agent-workflows/{workflow_id}/triggers', '/api/v1/agent-workflows/cron', '/api/v1/webhooks'],
    tables: { workflows: 'write', events: 'append', accounts: 'write', admin_accounts: 'read' },
    buckets: { content: 'write' },
    queues: ['dispatch', 'schedule'],
    schedules: true,
    seals: true,
    memory: 512,
    timeout: 29,
  },
  ops: {
    routes: CONTRACTS.ops,
    prefixes: ['/health', '/ready', '/api/version', '/api/config', '/openapi.json', '/docs'],
    tables: { settings: 'read', accounts: 'read', admin_accounts: 'read' },
    memory: 512,
    timeout: 10,
    fallback: true,
    assets: {
      'swagger-ui-bundle.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
      'swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
    },
  },
} as const satisfies Record<string, FamilySpec>;

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

export const JOBS = {
  relay: {
    entry: 'functions/events/relay.ts',
    source: { table: 'events' },
    publishes: true,
    memory: 256,
    timeout: 60,
  },
  dispatch: {
    entry: 'functions/events/dispatch.ts',
    source: { queue: 'dispatch', batch: 10 },
    tables: { events: 'append', workflows: 'write' },
    buckets: { content: 'write' },
    queues: ['dispatch'],
    memory: 512,
    timeout: 110,
  },
  tick: {
    entry: 'functions/triggers/tick.ts',
    source: { queue: 'schedule', batch: 10 },
    tables: { events: 'append', workflows: 'read' },
    buckets: { content: 'write' },
    queues: ['schedule'],
    schedules: true,
    memory: 256,
    timeout: 30,
  },
  'runs-relay': {
    entry: 'functions/runs/relay.ts',
    source: { table: 'workflows' },
    queues: ['runs'],
    memory: 256,
    timeout: 60,
  },
  run: {
    entry: 'functions/runs/run.ts',
    source: { queue: 'runs', batch: 5 },
    tables: { workflows: 'write', events: 'insert', accounts: 'read' },
    buckets: { content: 'write' },
    queues: ['runs', 'mail'],
    seals: true,
    memory: 1024,
    timeout: 900,
  },
  'runs-sweep': {
    entry: 'functions/runs/sweep.ts',
    source: { every: 'minute' },
    tables: { workflows: 'write' },
    buckets: { content: 'write' },
    queues: ['runs'],
    memory: 256,
    timeout: 300,
  },
  'events-sweep': {
    entry: 'functions/events/sweep.ts',
    source: { every: 'minute' },
    tables: { events: 'read', workflows: 'write' },
    buckets: { content: 'read' },
    queues: ['dispatch'],
    memory: 256,
    timeout: 55,
  },
  mail: {
    entry: 'functions/mail/send.ts',
    source: { queue: 'mail', batch: 5 },
    mail: true,
    memory: 256,
    timeout: 30,
  },
  sockets: {
    entry: 'functions/realtime/socket.ts',
    source: { sockets: true },
    tables: { realtime: 'write', accounts: 'read', admin_accounts: 'read' },
    queues: ['realtime'],
    sockets: true,
    memory: 512,
    timeout: 29,
  },
  'sockets-tend': {
    entry: 'functions/realtime/tend.ts',
    source: { queue: 'realtime', batch: 10 },
    tables: { realtime: 'write', accounts: 'read' },
    queues: ['realtime'],
    sockets: true,
    memory: 512,
    timeout: 20,
  },
} as const satisfies Record<string, JobSpec>;
