import type { Routes } from '../shared/http/route.ts';
import { routes as accounts } from './accounts/routes.ts';
import { routes as admin } from './admin/routes.ts';
import { routes as chats } from './chats/routes.ts';
import { routes as completions } from './completions/routes.ts';
import { routes as events } from './events/routes.ts';
import { routes as models } from './models/routes.ts';
import { routes as ops } from './ops/routes.ts';
import { routes as org } from './org/routes.ts';
import { routes as plugins } from './plugins/routes.ts';
import { routes as realtime } from './realtime/routes.ts';
import { routes as runs } from './runs/routes.ts';
import { routes as runtime } from './runtime/routes.ts';
import { routes as triggers } from './triggers/routes.ts';
import { routes as web } from './web/routes.ts';
import { routes as workflows } from './workflows/routes.ts';

/** Every family's contract. Routing, gateways, documentation and the authorization tests are loops over this. */
export const CONTRACTS = {
  accounts,
  admin,
  chats,
  completions,
  events,
  models,
  ops,
  org,
  plugins,
  realtime,
  runs,
  runtime,
  triggers,
  web,
  workflows,
} as const satisfies Record<string, Routes>;
