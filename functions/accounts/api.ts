import { createApi, type Authenticate } from '../../shared/http/api.ts';
import { AppError } from '../../shared/errors.ts';
import { reply, type Connection, type Handlers } from '../../shared/http/route.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { credentialOf, isFromOtherSite } from '../../shared/identity/credential.ts';
import type { Outcome, Welcome } from '../../shared/accounts/arrival.ts';
import {
  demandWelcome,
  maskedCompatibleKey,
  presentedSession,
  replaceCompatibleKey,
  revokeCompatibleKey,
  toSessionUser,
} from './compatible.ts';
import { resolveLoginMode } from './login-mode.ts';
import { accountPage } from './pages.ts';
import type { Origin, Parts } from './parts.ts';
import { describeCredential } from './profile.ts';
import { routes } from './routes.ts';
import type { compat } from './contract/compat.ts';
import type { keys } from './contract/keys.ts';
import type { profile } from './contract/profile.ts';
import type { registration } from './contract/registration.ts';
import type { signIn } from './contract/sign-in.ts';
import type { Accounts } from './service.ts';
import type { HttpRequest } from '../../shared/http/request.ts';

export const accountsApi = (accounts: Accounts, parts: Parts, authenticate: Authenticate) =>
  createApi(
    routes,
    {
      ...registrationHandlers(accounts),
      ...signInHandlers(accounts, parts),
      ...profileHandlers(accounts),
      ...keyHandlers(accounts),
      ...compatHandlers(accounts, parts),
      page: ({ params }) => accountPage(params.page, parts.settings.SVC_NAME),
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

const withCookies = <T>(value: T, cookies: readonly string[]) =>
  reply(value, { headers: cookies.map((cookie): [string, string] => ['set-cookie', cookie]) });

const welcomed = ({ session, cookies }: Welcome) => withCookies(session, cookies);
const answered = (outcome: Outcome) => ('session' in outcome ? welcomed(outcome) : outcome.challenge);
const registered = <T extends object>(result: T) => reply(result, { status: 'status' in result ? 202 : 201 });

const registrationHandlers = ({ registration: rules, invites }: Accounts): Handlers<typeof registration> => ({
  register: async (asked) => registered(await rules.person(asked.body, originOf(asked))),
  registerCompany: async (asked) => registered(await rules.company(asked.body, originOf(asked))),
  verifyEmail: ({ body }) => rules.verify(body.token),
  async resendVerification(asked) {
    await rules.resend(asked.body.email, originOf(asked));
    return { status: 'ACCEPTED' };
  },
  viewInvite: ({ params }) => invites.view(params.token),
  async acceptInvite(asked) {
    const outcome = await invites.accept({ ...asked.body, actor: asked.actor }, originOf(asked));
    return 'mode' in outcome ? outcome : answered(outcome);
  },
});

const signInHandlers = ({ signIn: rules, recovery }: Accounts, parts: Parts): Handlers<typeof signIn> => ({
  async login(asked) {
    const { email, username, password, rememberDevice } = asked.body;
    const request = { typed: email ?? username ?? '', password, rememberDevice };
    return answered(await rules.login(request, originOf(asked)));
  },
  resolveLoginMode: (asked) => {
    const { email, login, address } = asked.query;
    return resolveLoginMode(parts, email ?? login ?? address ?? '', originOf(asked));
  },
  verifyLoginOtp: async (asked) => welcomed(await rules.verifyCode(asked.body, originOf(asked))),
  resendLoginOtp: ({ body }) => rules.resendCode(body.challengeId),
  async forgotPassword(asked) {
    await recovery.forgot(asked.body.email, originOf(asked));
    return { status: 'ACCEPTED' };
  },
  async resetPassword(asked) {
    await recovery.reset(asked.body, originOf(asked));
    return { status: 'PASSWORD_CHANGED' };
  },
});

const profileHandlers = (accounts: Accounts): Handlers<typeof profile> => ({
  me: ({ actor }) => accounts.profile.me(actor),
  async updateMe(asked) {
    const { me, welcome } = await accounts.profile.update(asked.actor, asked.body, originOf(asked));
    return welcome ? withCookies({ ...me, session: welcome.session }, welcome.cookies) : me;
  },
  async changePassword(asked) {
    const request = { current: asked.body.currentPassword, next: asked.body.newPassword };
    return welcomed(await accounts.recovery.change(asked.actor, request, originOf(asked)));
  },
  validate: ({ actor }) => describeCredential(actor),
  async logout(asked) {
    const cookies = await accounts.ownSessions.signOut(asked.actor, asked.body, originOf(asked));
    const headers = cookies.map((cookie): [string, string] => ['set-cookie', cookie]);
    return new Response(null, { status: 204, headers });
  },
  listSessions: async ({ actor }) => ({ data: await accounts.ownSessions.list(actor) }),
  endSession: (asked) => accounts.ownSessions.end(asked.actor, asked.params.id, originOf(asked)),
  enrollTotp: (asked) => accounts.authenticator.enroll(asked.actor, asked.body.password, originOf(asked)),
  async confirmTotp(asked) {
    const done = await accounts.authenticator.confirm(asked.actor, asked.body.code, originOf(asked));
    return withCookies({ recoveryCodes: done.recoveryCodes, session: done.session }, done.cookies);
  },
  async removeTotp(asked) {
    const { session, cookies } = await accounts.authenticator.remove(asked.actor, asked.body, originOf(asked));
    return withCookies({ session }, cookies);
  },
});

const keyHandlers = ({ apiKeys }: Accounts): Handlers<typeof keys> => ({
  listKeys: async ({ actor }) => ({ data: await apiKeys.list(actor) }),
  createKey: (asked) => apiKeys.create(asked.actor, asked.body, originOf(asked)),
  updateKey: (asked) => apiKeys.update(asked.actor, { ...asked.body, id: asked.params.id }, originOf(asked)),
  revokeKey: (asked) => apiKeys.revoke(asked.actor, asked.params.id, originOf(asked)),
  rotateKey: (asked) => apiKeys.rotate(asked.actor, asked.params.id, originOf(asked)),
});

async function signOut({ ownSessions }: Accounts, asked: Asked & { readonly actor: UserActor }) {
  return withCookies(
    { status: true as const },
    await ownSessions.signOut(asked.actor, { all: false }, originOf(asked)),
  );
}

const compatHandlers = (accounts: Accounts, { settings, cookies, now }: Parts): Handlers<typeof compat> => ({
  async compatSignIn(asked) {
    const request = { typed: asked.body.email, password: asked.body.password, rememberDevice: true };
    const welcome = demandWelcome(await accounts.signIn.login(request, originOf(asked)));
    return withCookies(toSessionUser(welcome), welcome.cookies);
  },
  async compatSignUp(asked) {
    const result = await accounts.registration.person(asked.body, originOf(asked));
    if ('status' in result) throw new AppError('email_not_verified', 'Confirm your address; the link is in your mail');
    const request = { typed: asked.body.email, password: asked.body.password, rememberDevice: true };
    const welcome = demandWelcome(await accounts.signIn.login(request, originOf(asked)));
    return withCookies(toSessionUser(welcome), welcome.cookies);
  },
  compatSession({ actor, request }) {
    const token = credentialOf(request.headers, settings.CUSTOM_API_KEY_HEADER)?.value ?? '';
    const left = Math.floor(((actor.credentialExpiresAt ?? 0) - now()) / 1000);
    return withCookies(presentedSession(actor, token), actor.via === 'key' ? [] : [cookies.login(token, left)]);
  },
  compatSignOut: (asked) => signOut(accounts, asked),
  compatSignOutByGet(asked) {
    if (asked.actor.via === 'cookie' && isFromOtherSite(asked.request, settings.SVC_URL)) {
      throw new AppError('csrf_rejected', 'This request does not come from our own pages');
    }
    return signOut(accounts, asked);
  },
  compatCreateKey: (asked) => replaceCompatibleKey(accounts.apiKeys, asked.actor, originOf(asked)),
  compatGetKey: ({ actor }) => maskedCompatibleKey(accounts.apiKeys, actor),
  compatDeleteKey: (asked) => revokeCompatibleKey(accounts.apiKeys, asked.actor, originOf(asked)),
});
