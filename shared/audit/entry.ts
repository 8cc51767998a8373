import * as z from 'zod';

/** One security-relevant act: who did what to whom, from where, and whether it went through. */
export const AuditEntry = z.object({
  id: z.string(),
  /** Epoch milliseconds. */
  at: z.number(),
  /** `<thing>.<what happened>`, such as `login.failed` or `member.deactivated`. */
  action: z.string(),
  outcome: z.enum(['success', 'failure']),
  actor: z.object({ kind: z.enum(['user', 'platform', 'system', 'anonymous']), id: z.string().nullable() }),
  /** The organization it concerns; null when it concerns none. */
  orgId: z.string().nullable(),
  target: z.object({ kind: z.string(), id: z.string() }).nullable(),
  ip: z.string().nullable(),
  requestId: z.string().nullable(),
  /** Small facts, never secrets. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type AuditEntry = z.output<typeof AuditEntry>;

/** An entry as callers see it: the time in words. */
export const AuditView = AuditEntry.extend({ at: z.string() });

export const viewEntry = (entry: AuditEntry): z.output<typeof AuditView> => ({
  ...entry,
  at: new Date(entry.at).toISOString(),
});
