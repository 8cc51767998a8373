import { CONTRACTS } from '../functions/contracts.ts';
import type { FamilySpec } from './resources.ts';

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
      '/api/v1/configs/oauth/clients',
      '/api/v1/auths/oauth/sessions',
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
    buckets: { content: 'read' }, // long lists of tool servers and sources of plugins
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
  web: {
    routes: CONTRACTS.web,
    prefixes: ['/', '/assets'],
    memory: 256,
    timeout: 10,
    assets: {
      'index.html': 'functions/web/page/index.html',
      'embed.html': 'functions/web/page/embed.html',
      'icon.svg': 'functions/web/page/icon.svg',
    },
    browser: { main: 'functions/web/page/main.js', style: 'functions/web/page/style.css' },
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
