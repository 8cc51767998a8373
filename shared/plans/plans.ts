import * as z from 'zod';

/** What a tenant may use. `null` means without end; a number is the most there can be. */
export const Limits = z.object({
  seats: z.number().int().min(1).nullable(),
  documents_per_month: z.number().int().min(0).nullable(),
  storage_bytes: z.number().int().min(0).nullable(),
  completions_per_day: z.number().int().min(0).nullable(),
  knowledge_files: z.number().int().min(0).nullable(),
});
export type Limits = z.output<typeof Limits>;
export type LimitName = keyof Limits;

/** Seats are counted on the organization's own row, in the transaction that takes one. */
export type CountedLimit = Exclude<LimitName, 'seats'>;
/** Those that count what is there, not what happened in a day or month. */
export type KeptLimit = Extract<LimitName, 'storage_bytes' | 'knowledge_files'>;

export const COUNTED = [
  'documents_per_month',
  'storage_bytes',
  'completions_per_day',
  'knowledge_files',
] as const satisfies readonly CountedLimit[];

export const PlanId = z.enum(['personal', 'trial', 'team', 'enterprise']);
export type PlanId = z.output<typeof PlanId>;

export interface Plan {
  readonly name: string;
  readonly limits: Limits;
}

const GIB = 1024 ** 3;

export const PLANS: Readonly<Record<PlanId, Plan>> = {
  personal: {
    name: 'Personal',
    limits: {
      seats: 1,
      documents_per_month: 10,
      storage_bytes: 2 * GIB,
      completions_per_day: 500,
      knowledge_files: 100,
    },
  },
  trial: {
    name: 'Trial',
    limits: {
      seats: 10,
      documents_per_month: 25,
      storage_bytes: 5 * GIB,
      completions_per_day: 1000,
      knowledge_files: 200,
    },
  },
  team: {
    name: 'Team',
    limits: {
      seats: 50,
      documents_per_month: 500,
      storage_bytes: 200 * GIB,
      completions_per_day: 20_000,
      knowledge_files: 5000,
    },
  },
  enterprise: {
    name: 'Enterprise',
    limits: {
      seats: null,
      documents_per_month: null,
      storage_bytes: null,
      completions_per_day: null,
      knowledge_files: null,
    },
  },
};

/** The plan as it stands on an organization's row: which one, until when, and what was agreed differently. */
export const PlanGrant = z.object({
  id: PlanId,
  /** Epoch milliseconds; null when the plan does not end. */
  trialEndsAt: z.number().nullable().default(null),
  limits: Limits.partial().optional(),
});
export type PlanGrant = z.output<typeof PlanGrant>;

export const PERSONAL: PlanGrant = { id: 'personal', trialEndsAt: null };

export const limitsOf = (grant: PlanGrant): Limits => ({ ...PLANS[grant.id].limits, ...grant.limits });

export const hasEnded = (grant: PlanGrant, now: number) => grant.trialEndsAt !== null && grant.trialEndsAt <= now;
