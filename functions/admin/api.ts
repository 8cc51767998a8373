import { viewEntry } from '../../shared/audit/entry.ts';
import type { AuditPage, AuditQuery } from '../../shared/audit/read.ts';
import { createApi, type Authenticate } from '../../shared/http/api.ts';
import { reply, type Connection, type Handlers } from '../../shared/http/route.ts';
import { PlanId, PLANS } from '../../shared/plans/plans.ts';
import type { createAccount } from './account.ts';
import type { authRoutes } from './auth-routes.ts';
import type { operatorRoutes } from './operator-routes.ts';
import type { createOperators } from './operators.ts';
import type { createOrganizations } from './organizations.ts';
import type { Origin, Parts } from './parts.ts';
import type { platformRoutes } from './platform-routes.ts';
import { routes } from './routes.ts';
import { setUp } from './setup.ts';
import type { createSignIn, Welcome } from './sign-in.ts';
import type { createUsers } from './users.ts';
import { viewOperator } from './views.ts';
import type { HttpRequest } from '../../shared/http/request.ts';

export interface Services {
  readonly parts: Parts;
  readonly signIn: ReturnType<typeof createSignIn>;
  readonly account: ReturnType<typeof createAccount>;
  readonly operators: ReturnType<typeof createOperators>;
  readonly organizations: ReturnType<typeof createOrganizations>;
  readonly users: ReturnType<typeof createUsers>;
  readonly readAudit: (query: AuditQuery) => Promise<AuditPage>;
}

export const adminApi = (services: Services, authenticate: Authenticate) =>
  createApi(
    routes,
    {
      ...signInHandlers(services),
      ...accountHandlers(services),
      ...operatorHandlers(services),
      ...platformHandlers(services),
    },
    authenticate,
  );

type Asked = Connection & { readonly request: HttpRequest };

const originOf = ({ ip, requestId, request: { headers } }: Asked): Origin => ({
  ip,
  requestId,
  headers,
  userAgent: headers.get('user-agent') ?? '',
});

const by = <A>(asked: Asked & { readonly actor: A }) => ({ ...originOf(asked), actor: asked.actor });

const withCookies = <T>(value: T, cookies: readonly string[]) =>
  reply(value, { headers: cookies.map((cookie): [string, string] => ['set-cookie', cookie]) });
const welcomed = ({ session, cookies }: Welcome) => withCookies(session, cookies);
const ACCEPTED = { status: 'ACCEPTED' } as const;

type SignInRoutes = Pick<
  typeof authRoutes,
  'status' | 'setup' | 'login' | 'verifyLoginOtp' | 'resendLoginOtp' | 'forgotPassword' | 'resetPassword'
>;

const signInHandlers = ({ parts, signIn, account }: Services): Handlers<SignInRoutes> => ({
  status: async () => ({ setupRequired: !(await parts.store.isInitialized()) }),
  async setup(asked) {
    const setupKey = asked.body.setupKey ?? asked.request.headers.get('x-admin-setup-key') ?? '';
    return { admin: viewOperator(await setUp(parts, { ...asked.body, setupKey }, originOf(asked))) };
  },
  async login(asked) {
    const outcome = await signIn.login(asked.body, originOf(asked));
    return 'session' in outcome ? welcomed(outcome) : outcome.challenge;
  },
  verifyLoginOtp: async (asked) => welcomed(await signIn.verifyCode(asked.body, originOf(asked))),
  resendLoginOtp: ({ body }) => signIn.resendCode(body.challengeId),
  async forgotPassword(asked) {
    await account.forgot(asked.body.email, originOf(asked));
    return ACCEPTED;
  },
  async resetPassword(asked) {
    await account.reset(asked.body, originOf(asked));
    return { status: 'PASSWORD_CHANGED' };
  },
});

type AccountRoutes = Omit<typeof authRoutes, keyof SignInRoutes>;

const accountHandlers = ({ parts, account }: Services): Handlers<AccountRoutes> => ({
  me: async (asked) => ({ ...viewOperator(await account.me(by(asked))), landing: '/platform' }),
  updateMe: async (asked) => viewOperator(await account.update(by(asked), asked.body)),
  validate: ({ actor: { adminId, role, credentialExpiresAt: at } }) => ({
    valid: true,
    userId: adminId,
    role,
    organizationId: null,
    expiresAt: at === null ? null : Math.floor(at / 1000),
    authType: 'JWT',
  }),
  async logout(asked) {
    await account.logout(by(asked), asked.body?.all ?? false);
    const headers = parts.cookies.ended().map((cookie): [string, string] => ['set-cookie', cookie]);
    return new Response(null, { status: 204, headers });
  },
  changePassword: async (asked) => welcomed(await account.changePassword(by(asked), asked.body)),
});

const operatorHandlers = ({ operators }: Services): Handlers<typeof operatorRoutes> => ({
  async operators({ query }) {
    const page = await operators.list(query);
    return { data: page.operators.map(viewOperator), nextToken: page.cursor ?? null };
  },
  createOperator: async (asked) => viewOperator(await operators.create(by(asked), asked.body)),
  updateOperator: async (asked) => viewOperator(await operators.update(by(asked), asked.params.adminId, asked.body)),
  deactivateOperator: async (asked) => viewOperator(await operators.deactivate(by(asked), asked.params.adminId)),
  reactivateOperator: async (asked) => viewOperator(await operators.reactivate(by(asked), asked.params.adminId)),
  deleteOperator: (asked) => operators.remove(by(asked), asked.params.adminId),
});

const platformHandlers = ({ parts, organizations, users, readAudit }: Services): Handlers<typeof platformRoutes> => ({
  organizations: ({ query }) => organizations.list(query),
  organization: ({ params }) => organizations.get(params.orgId),
  updateOrganization: (asked) => organizations.update(by(asked), asked.params.orgId, asked.body),
  users: ({ query }) => users.list(query),
  user: ({ params }) => users.get(params.userId),
  deactivateUser: (asked) => users.deactivate(by(asked), asked.params.userId, asked.body?.reason),
  reactivateUser: (asked) => users.reactivate(by(asked), asked.params.userId),
  revokeUserSessions: (asked) => users.revokeSessions(by(asked), asked.params.userId).then(() => ACCEPTED),
  unlockUser: (asked) => users.unlock(by(asked), asked.params.userId).then(() => ACCEPTED),
  sendUserReset: (asked) => users.sendReset(by(asked), asked.params.userId).then(() => ACCEPTED),
  plans: () => ({ data: PlanId.options.map((id) => ({ id, ...PLANS[id] })) }),
  async audit({ query: { organizationId, actor, action, from, to, limit, nextToken: cursor } }) {
    const span = { from: from ? Date.parse(from) : 0, to: to ? Date.parse(to) : parts.now() };
    const page = await readAudit({ orgId: organizationId ?? null, ...span, limit, cursor, action, actorId: actor });
    return { data: page.entries.map(viewEntry), nextToken: page.cursor ?? null };
  },
});
