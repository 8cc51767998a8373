import type { Routes } from '../shared/http/route.ts';
import { routes as ops } from './ops/routes.ts';
import { routes as org } from './org/routes.ts';

/** Every family's contract. Routing, gateways, documentation and the authorization tests are loops over this. */
export const CONTRACTS = { ops, org } as const satisfies Record<string, Routes>;
