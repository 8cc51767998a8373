import { pageLink, signInLink } from '../../shared/accounts/link-token.ts';
import type { OrgRecord, UserRecord } from '../../shared/accounts/rows.ts';
import { viewOrganization, viewUser, type OrganizationView, type UserView } from '../../shared/accounts/views.ts';
import { AppError, invalidField } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { alreadyRegistered, verifyEmail } from '../../shared/mail/letters.ts';
import { demandGoodPassword } from '../../shared/passwords/rules.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import { takeByAddress } from '../../shared/throttle/by-address.ts';
import type { Rule } from '../../shared/throttle/throttle.ts';
import { newCompany, newPerson, suggestedCode } from './account-records.ts';
import type { CompanyInput, RegisterInput } from './contract/registration.ts';
import type { Origin, Parts } from './parts.ts';
import { newVerification, VERIFICATION_HOURS } from './store/links.ts';

export interface Pending {
  readonly status: 'VERIFICATION_REQUIRED';
}

export interface PersonRegistered {
  readonly user: UserView;
}

export interface CompanyRegistered extends PersonRegistered {
  readonly organization: OrganizationView;
  readonly directory: { readonly status: 'DISABLED' | 'PENDING' };
}

export interface Registration {
  person(input: RegisterInput, origin: Origin): Promise<PersonRegistered | CompanyRegistered | Pending>;
  company(input: CompanyInput, origin: Origin): Promise<CompanyRegistered | Pending>;
  verify(token: string): Promise<{ verified: true }>;
  resend(address: string, origin: Origin): Promise<void>;
}

export const createRegistration = (parts: Parts): Registration => ({
  async person(input, origin) {
    if (input.type === 'COMPANY' || input.companyName !== undefined) {
      if (input.companyName === undefined) throw invalidField(['body', 'companyName'], 'Field required', 'missing');
      return registerCompany(parts, { ...input, companyName: input.companyName }, origin);
    }
    const user = await prepare(parts, input, origin);
    return (await enter(parts, { user }, origin)) ?? { user: viewUser(user) };
  },
  company: (input, origin) => registerCompany(parts, input, origin),
  async verify(token) {
    if (!(await parts.links.spend(token, parts.now()))) throw badLink();
    return { verified: true };
  },
  resend: (address, origin) => resend(parts, address, origin),
});

export const badLink = () => new AppError('token_invalid', 'The link is not valid any more');

const REGISTER: Rule = { kind: 'register', limit: 10, windowMs: 3_600_000 };
const RESEND = { kind: 'verify-mail', limit: 3, windowMs: 3_600_000 } as const satisfies Rule;
const RESEND_PLACE = { kind: 'verify-mail-place', limit: 20, windowMs: 3_600_000 } as const satisfies Rule;

type Person = Pick<RegisterInput, 'name' | 'email' | 'password' | 'companyName'>;

/** Everything that can be refused, and the slow hash, before anything is looked up: timing then tells nothing. */
async function prepare(parts: Parts, input: Person, origin: Origin): Promise<UserRecord> {
  if (!parts.settings.ENABLE_SIGNUP) throw new AppError('signup_disabled', 'Registration is closed');
  await takeByAddress(parts.throttle, REGISTER, origin.ip);
  const words = [input.name, input.email, ...(input.companyName ? [input.companyName] : [])];
  demandGoodPassword(input.password, parts.settings, { words });
  return newPerson({ ...input, passwordHash: await parts.passwords.hash(input.password) }, parts.now());
}

async function registerCompany(parts: Parts, input: CompanyInput, origin: Origin) {
  const person = await prepare(parts, input, origin);
  for (let attempt = 0; ; attempt += 1) {
    const code = input.companyCode ?? suggestedCode(input.companyName, attempt);
    const org = newCompany({ ...input, code, orgId: newId() }, parts.settings, parts.now());
    const user = { ...person, orgId: org.orgId, role: 'ROLE_ORG_ADMIN', breakGlass: true } as const;
    try {
      return (await enter(parts, { user, org }, origin)) ?? viewCompany(parts, user, org);
    } catch (error) {
      if (!(error instanceof ConditionFailed && error.what === 'code')) throw error;
      if (input.companyCode !== undefined || attempt === MOST_CODES) throw codeTaken();
    }
  }
}

const MOST_CODES = 8;
const codeTaken = () => new AppError('company_code_taken', 'Another company uses this code');

interface Newcomer {
  readonly user: UserRecord;
  readonly org?: OrgRecord;
}

/** Nothing more to say when the account is there and usable; otherwise what the person waits for. */
async function enter(parts: Parts, { user, org }: Newcomer, { ip, requestId }: Origin): Promise<Pending | undefined> {
  const { token, row } = newVerification(user, parts.now());
  const actor = { kind: 'user', id: user.userId } as const;
  const action = org ? 'company.registered' : 'user.registered';
  try {
    const act = { action, actor, target: actor, orgId: user.orgId, ip, requestId };
    await parts.users.insert({ user, org, verification: row, act });
  } catch (error) {
    if (!(error instanceof ConditionFailed && error.what === 'email')) throw error;
    return addressTaken(parts, user.email);
  }
  await mailVerification(parts, user, token);
  return parts.settings.EMAIL_VERIFICATION === 'required' ? { status: 'VERIFICATION_REQUIRED' } : undefined;
}

const viewCompany = ({ settings, now }: Parts, user: UserRecord, org: OrgRecord): CompanyRegistered => ({
  organization: viewOrganization(org, now()),
  user: viewUser(user),
  directory: { status: settings.LDAP_PROVISIONING_ENABLED ? 'PENDING' : 'DISABLED' },
});

/** Where addresses must be confirmed, only the owner learns that the account is already there. */
async function addressTaken({ settings, users, outbox }: Parts, address: string): Promise<Pending> {
  if (settings.EMAIL_VERIFICATION !== 'required')
    throw new AppError('email_taken', 'This address already has an account');
  const owner = await users.byAddress(address);
  if (owner) await outbox.send(address, alreadyRegistered({ name: owner.name, link: signInLink(settings.SVC_URL) }));
  return { status: 'VERIFICATION_REQUIRED' };
}

async function mailVerification({ outbox, settings }: Parts, user: UserRecord, token: string) {
  const link = pageLink(settings.SVC_URL, 'verify-email', token);
  await outbox.send(user.email, verifyEmail({ name: user.name, link, hours: VERIFICATION_HOURS }));
}

async function resend(parts: Parts, address: string, origin: Origin) {
  const startedAt = parts.now();
  await takeByAddress(parts.throttle, RESEND_PLACE, origin.ip);
  await parts.throttle.take(RESEND, address);
  const user = await parts.users.byAddress(address);
  if (user && !user.emailVerified && user.status === 'ACTIVE') {
    const { token, row } = newVerification(user, parts.now());
    await parts.links.insert(row);
    await mailVerification(parts, user, token);
  }
  await parts.floor(startedAt);
}
