import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { CONTRACTS } from '../functions/contracts.ts';
import type { Access } from '../shared/identity/actor.ts';
import type { Route, Routes } from '../shared/http/route.ts';
import { call } from './support/call.ts';
import { anApiKey, anOperator, anOrg, aUser } from './support/people.ts';
import { TEST_ENVIRONMENT } from './support/spawn-host.ts';
import { verifies } from './support/verifies.ts';

/** Every route × every kind of caller, from the contracts: a route cannot exist without its row here. */
const CALLERS = {
  nobody: async () => ({}),
  forger: async () => ({ token: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.' }),
  unknownKey: async () => ({ token: 'sk-00000000000000000000000000000000000000' }),
  user: async () => ({ token: (await aUser()).token }),
  userByKey: async () => ({ headers: { 'x-api-key': await anApiKey(await aUser()) } }),
  orgAdmin: async () => ({ token: (await anOrg()).admin.token }),
  operator: async () => ({ token: (await anOperator()).token }),
  eventSystem: async () => ({ headers: { 'x-api-key': TEST_ENVIRONMENT.SVC_EVENT_API_KEY } }),
};
type Caller = keyof typeof CALLERS;

/** Who is refused, and with what. Everyone else gets past the door. */
const STRANGERS = { nobody: 401, forger: 401, unknownKey: 401, eventSystem: 401 } as const;
const REFUSED: Record<Access, Partial<Record<Caller, 401 | 403>>> = {
  open: {},
  recipient: {},
  optional: { forger: 401, unknownKey: 401, eventSystem: 401 },
  signedIn: STRANGERS,
  user: { ...STRANGERS, operator: 403 },
  orgAdmin: { ...STRANGERS, user: 403, userByKey: 403, operator: 403 },
  platform: { ...STRANGERS, user: 403, userByKey: 403, orgAdmin: 403 },
  eventKey: { nobody: 401, forger: 401, unknownKey: 401, user: 401, userByKey: 401, orgAdmin: 401, operator: 401 },
};

const rows = Object.entries<Routes>(CONTRACTS).flatMap(([family, routes]) =>
  Object.values<Route>(routes).map((route) => ({ family, route, title: `${route.method} ${route.path}` })),
);

const target = ({ method, path }: Route) => `${method} ${path.replaceAll(/\{\w+\+?\}/g, () => randomUUID())}`;

describe.each(Object.keys(CONTRACTS))('%s', (family) => {
  const own = rows.filter((row) => row.family === family && Object.keys(REFUSED[row.route.auth]).length > 0);
  if (own.length === 0) return test('every route is open to everyone', () => expect(own).toEqual([]));
  test.each(own)('$title', async ({ route }) => {
    const refused = Object.entries(REFUSED[route.auth]) as [Caller, number][];
    const statuses = await Promise.all(
      refused.map(async ([caller]) => [caller, (await call(target(route), undefined, await CALLERS[caller]())).status]),
    );
    expect(Object.fromEntries(statuses)).toEqual(Object.fromEntries(refused));
  });
});

/** The interface opens these; a credential of their own guards the rest. */
const OPEN = [
  /^\/api\/auth\//,
  /^\/api\/v1\/auths(\/|$)/,
  /^\/api\/public\//,
  /^\/(health|ready|docs|openapi\.json)/,
  /^\/api\/(version|config)$/,
  /^\/(sso|oauth)\//,
  /^\/upstream\/?(api\/version)?$/,
];
/** Pages that mails link to, and the chat page with its files; what they send goes to the routes of everyone. */
const PAGES = /^\/(account\/|assets\/|$)/;
const OPEN_ADMIN =
  /^\/api\/admin\/auth\/(status|setup|login|verify-login-otp|resend-login-otp|forgot-password|reset-password)$/;
const OWN_CREDENTIAL = /^\/api\/v1\/(events\/ingest|webhooks\/)/;

verifies('paths/protected', 'no route is open outside the paths that the interface opens', () => {
  const open = rows
    .filter(({ route }) => route.auth === 'open' || route.auth === 'optional')
    .map(({ route }) => route.path);
  expect(
    open.filter((path) => ![...OPEN, PAGES, OPEN_ADMIN, OWN_CREDENTIAL].some((allowed) => allowed.test(path))),
  ).toEqual([]);
});

verifies(
  ['errors/missing-token', 'errors/invalid-token', 'errors/shape'],
  'a refusal has the one body shape, with the request id of its header',
  async () => {
    const protectedRoute = rows.find(({ route }) => route.auth === 'user');
    if (!protectedRoute) throw new Error('There is no protected route to try');
    for (const token of [undefined, 'nonsense', 'a.b.c']) {
      const answer = await call(target(protectedRoute.route), undefined, { token });
      expect(answer).toMatchObject({
        status: 401,
        body: { detail: expect.any(String), error: { code: 'unauthenticated', message: expect.any(String) } },
      });
      expect(answer.body.error.request_id).toBe(answer.headers.get('x-request-id'));
    }
  },
);
