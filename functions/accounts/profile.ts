import type * as z from 'zod';
import { LANDING } from '../../shared/accounts/landing.ts';
import type { OrgRecord, UserRecord } from '../../shared/accounts/rows.ts';
import { viewOrganization, viewUser } from '../../shared/accounts/views.ts';
import { invalidField } from '../../shared/errors.ts';
import type { OperatorActor, UserActor } from '../../shared/identity/actor.ts';
import { orElse } from '../../shared/store/dynamodb.ts';
import type { Millis } from '../../shared/time.ts';
import type { Welcome } from '../../shared/accounts/arrival.ts';
import { changedMeanwhile } from '../../shared/accounts/changing-user.ts';
import type { UpdateMeInput } from './contract/profile.ts';
import type { MeView } from './contract/shapes.ts';
import type { Origin, Parts } from './parts.ts';
import { accountOf } from './reauthenticate.ts';
import type { SecondStep } from './second-step.ts';

type Me = z.output<typeof MeView>;

export interface Profile {
  me(actor: UserActor): Promise<Me>;
  update(actor: UserActor, input: UpdateMeInput, origin: Origin): Promise<{ me: Me; welcome: Welcome | undefined }>;
}

export const createProfile = (parts: Parts, secondStep: SecondStep): Profile => ({
  async me(actor) {
    const { user, org } = await parts.users.behind(actor);
    return viewMe(user, org, parts.now());
  },
  async update(actor, input, origin) {
    const before = await parts.users.behind(actor);
    // What needs the password comes first: when it is wrong, nothing has changed.
    const welcome = await toggleSecondStep(secondStep, before.user, { input, origin });
    const user = await accountOf(parts, actor.userId);
    await rename(parts, user, { input, origin });
    return { me: viewMe(await accountOf(parts, actor.userId), before.org, parts.now()), welcome };
  },
});

interface Update {
  readonly input: UpdateMeInput;
  readonly origin: Origin;
}

async function toggleSecondStep(secondStep: SecondStep, user: UserRecord, { input, origin }: Update) {
  const { otpEnabled: isOn, password } = input;
  if (isOn === undefined || isOn === user.otpEnabled) return undefined;
  if (password === undefined) throw invalidField(['body', 'password'], 'Field required', 'missing');
  return secondStep.toggle(user, { isOn, password }, origin);
}

async function rename(parts: Parts, user: UserRecord, { input, origin: { ip, requestId } }: Update) {
  const name = input.name ?? user.name;
  const locale = input.locale === undefined ? user.locale : (input.locale ?? undefined);
  if (name === user.name && locale === user.locale) return;
  const who = { kind: 'user', id: user.userId } as const;
  const act = { action: 'user.updated', actor: who, target: who, orgId: user.orgId, ip, requestId };
  await parts.users.rename(user, { name, locale, updatedAt: parts.now() }, act).catch(orElse(changedMeanwhile));
}

const PERMISSIONS = {
  ROLE_USER: ['account', 'api_keys', 'chats', 'files', 'knowledge', 'signing', 'workflows'],
  ROLE_ORG_ADMIN: ['org', 'org.audit', 'org.members', 'org.plan', 'org.roles'],
} as const;

export const permissionsOf = (role: UserRecord['role']): string[] => [
  ...PERMISSIONS.ROLE_USER,
  ...(role === 'ROLE_ORG_ADMIN' ? PERMISSIONS.ROLE_ORG_ADMIN : []),
];

const viewMe = (user: UserRecord, org: OrgRecord | undefined, now: Millis): Me => ({
  ...viewUser(user),
  locale: user.locale ?? null,
  totpEnabled: user.totpSecret !== undefined,
  organization: org ? viewOrganization(org, now) : null,
  permissions: permissionsOf(user.role),
  landing: LANDING[user.role],
});

const AUTH_TYPES = { jwt: 'JWT', key: 'API_KEY', cookie: 'COOKIE' } as const;

/** What a valid credential stands for. */
export const describeCredential = (actor: UserActor | OperatorActor) => ({
  valid: true as const,
  userId: actor.kind === 'user' ? actor.userId : actor.adminId,
  role: actor.role,
  organizationId: actor.kind === 'user' ? actor.orgId : null,
  expiresAt: actor.credentialExpiresAt === null ? null : Math.floor(actor.credentialExpiresAt / 1000),
  authType: actor.kind === 'user' ? AUTH_TYPES[actor.via] : AUTH_TYPES.jwt,
});
