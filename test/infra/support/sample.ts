import type { FamilySpec, JobSpec } from '../../../infra/resources.ts';
import { defineRoutes } from '../../../shared/http/route.ts';
import type { Description } from '../../../infra/functions.ts';

/** A description that uses everything a description can say, so the stacks are proved beyond today's families. */

const open = { method: 'GET', auth: 'open', summary: 'sample' } as const;

const pages: FamilySpec = {
  routes: defineRoutes({ page: { ...open, path: '/pages/{id}' }, list: { ...open, path: '/pages' } }),
  prefixes: ['/pages'],
  fallback: true,
  tables: { accounts: 'read', events: 'insert', chats: 'write' },
  buckets: { content: 'read', files: 'write' },
  queues: ['mail', 'runs'],
  publishes: true,
  schedules: true,
  sockets: true,
  mail: true,
  seals: true,
  memory: 512,
  timeout: 60,
};

const talk: FamilySpec = {
  routes: defineRoutes({
    ask: { ...open, method: 'POST', path: '/api/talk', transport: 'stream' },
    hear: { ...open, path: '/api/talk', transport: 'stream' },
    pass: { ...open, method: 'POST', path: '/relay/{path+}', transport: 'stream' },
    passModels: { ...open, path: '/relay/api/tags', transport: 'stream' },
  }),
  prefixes: ['/api/talk', '/relay'],
  memory: 1024,
  timeout: 900,
};

const papers: FamilySpec = {
  routes: defineRoutes({
    upload: { ...open, method: 'POST', path: '/api/papers/' },
    one: { ...open, path: '/api/papers/{id}' },
    progress: { ...open, path: '/api/papers/{id}/progress', transport: 'stream' },
  }),
  prefixes: ['/api/papers'],
  tables: { files: 'write' },
  memory: 1769,
  timeout: 300,
};

const job = { entry: 'functions/sample/job.ts', memory: 256, timeout: 30 } as const;

const jobs: Readonly<Record<string, JobSpec>> = {
  relay: { ...job, source: { table: 'events' }, publishes: true },
  dispatcher: { ...job, source: { queue: 'dispatch', batch: 10 }, tables: { workflows: 'write' } },
  tick: { ...job, source: { every: 'minute' } },
  sweep: { ...job, source: { every: 'day' } },
  sockets: { ...job, source: { sockets: true }, sockets: true, tables: { realtime: 'write' } },
};

export const SAMPLE: Description = { families: { pages, talk, papers }, jobs };
