import { demandIdentityProvider } from '../../shared/accounts/identity-provider.ts';
import type { OrgRecord } from '../../shared/accounts/rows.ts';
import { viewOrganization } from '../../shared/accounts/views.ts';
import type { Audit } from '../../shared/audit/audit.ts';
import { conflict, invalidField, notFound } from '../../shared/errors.ts';
import { keepingNativeLogin } from '../../shared/membership/changes.ts';
import { limitsOf, type PlanGrant } from '../../shared/plans/plans.ts';
import type { Quota } from '../../shared/plans/quota.ts';
import type { Settings } from '../../shared/settings/variables.ts';
import type { Operation } from '../../shared/store/transaction.ts';
import type { Clock } from '../../shared/time.ts';
import { actOf, type By } from './parts.ts';
import type { OrganizationInput, PlanInput } from './platform-routes.ts';
import type { PlatformStore } from './platform-store.ts';

interface Parts {
  readonly store: PlatformStore;
  readonly quota: Quota;
  readonly audit: Audit;
  readonly settings: Settings;
  readonly now: Clock;
}

interface Query {
  readonly q?: string;
  readonly limit: number;
  readonly nextToken?: string;
  readonly status?: OrgRecord['status'];
  readonly plan?: PlanGrant['id'];
}

const DAY = 86_400_000;
const MAX_ATTEMPTS = 8;

/** Operators about organizations. */
export const createOrganizations = (parts: Parts) => ({
  async list({ status, plan, nextToken, ...page }: Query) {
    const matches = (org: OrgRecord) =>
      (status === undefined || org.status === status) && (plan === undefined || org.plan.id === plan);
    const { organizations, cursor } = await parts.store.organizations({ ...page, cursor: nextToken, matches });
    return { data: organizations.map((org) => viewOrganization(org, parts.now())), nextToken: cursor ?? null };
  },

  async get(orgId: string) {
    const org = await find(parts, orgId);
    const uses = await parts.quota.usage({ userId: '', orgId, plan: org.plan });
    const seats = { limit: 'seats', used: org.seatsTaken, size: limitsOf(org.plan).seats, resetsAt: null };
    return { ...viewOrganization(org, parts.now()), usage: [seats, ...uses] };
  },

  /** Decided on what was read; when another change came between, decided again. */
  async update(by: By, orgId: string, input: OrganizationInput) {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const isDone = await change(parts, by, { org: await find(parts, orgId), input });
      if (isDone) return viewOrganization(await find(parts, orgId), parts.now());
    }
    throw conflict('Others are changing this organization at the same moment; try again');
  },
});

async function change(parts: Parts, by: By, { org, input }: { org: OrgRecord; input: OrganizationInput }) {
  const isToSso = input.authProvider === 'SSO' && org.authProvider !== 'SSO';
  if (isToSso) demandIdentityProvider(parts.settings);
  const plan = input.plan && granted(input.plan, parts);
  const set = { plan, status: statusAfter(org, input), authProvider: input.authProvider };
  const others = isToSso ? await keepOneIn(parts, org.orgId) : [];
  const records = recordsOf(parts, by, { orgId: org.orgId, set: { ...set, plan: plan?.id } });
  return parts.store.updateOrganization(org, { set }, [...records, ...others]);
}

async function find({ store }: Parts, orgId: string): Promise<OrgRecord> {
  const org = await store.organization(orgId);
  if (!org) throw notFound('Organization');
  return org;
}

/** Only a trial has an end, and it always has one. */
function granted({ id, trialEndsAt, limits }: PlanInput, { settings, now }: Parts): PlanGrant {
  if (id !== 'trial' && trialEndsAt) throw invalidField(['body', 'plan', 'trialEndsAt'], 'Only a trial ends');
  const usual = now() + settings.TRIAL_DAYS * DAY;
  const ends = id === 'trial' ? (trialEndsAt ? Date.parse(trialEndsAt) : usual) : null;
  return { id, trialEndsAt: ends, ...(limits && { limits }) };
}

/** A new plan moves between trial and active by itself; a suspended organization stays so until that is said. */
function statusAfter(org: OrgRecord, { status, plan }: OrganizationInput): OrgRecord['status'] {
  if (status) return status;
  if (!plan || org.status === 'SUSPENDED') return org.status;
  return plan.id === 'trial' ? 'TRIAL' : 'ACTIVE';
}

async function keepOneIn({ store }: Parts, orgId: string): Promise<Operation[]> {
  const userId = await store.firstAdmin(orgId);
  return userId === undefined ? [] : [keepingNativeLogin(userId)];
}

/** Both sides read it: the organization's own list, and the platform's. */
function recordsOf(
  { audit }: Parts,
  by: By,
  { orgId, set }: { orgId: string; set: Record<string, string | undefined> },
) {
  const details = Object.fromEntries(Object.entries(set).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  const target = { kind: 'organization', id: orgId };
  const act = { ...actOf(by), action: 'organization.changed_by_platform', target, details };
  return [audit.recording({ ...act, orgId }), audit.recording(act)];
}
