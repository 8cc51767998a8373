import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import '../support/host.ts';
import { admit, LIMIT } from '../../shared/completion/admission.ts';
import { createTally } from '../../shared/completion/tally.ts';
import type { Targets } from '../../shared/completion/targets.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { createQuota } from '../../shared/plans/quota.ts';
import { declareSoleWriter } from '../../shared/store/sole-writer.ts';
import { systemClock as now } from '../../shared/time.ts';

declareSoleWriter();
const quota = createQuota(now);
const targets = { find: async () => ({}) } as unknown as Targets;

const member = (size: number | null): UserActor => ({
  kind: 'user',
  userId: randomUUID(),
  orgId: randomUUID(),
  role: 'ROLE_USER',
  name: 'Ada',
  email: 'ada@example.test',
  groups: [],
  plan: { id: 'team', trialEndsAt: null, limits: { [LIMIT]: size } },
  via: 'key',
  credentialId: 'key',
  credentialExpiresAt: null,
  allowedRoutes: null,
});

function anInstallation() {
  const writes = { reserved: 0, counted: 0 };
  const watched = {
    reserve: (...taking: Parameters<typeof quota.reserve>) => ((writes.reserved += 1), quota.reserve(...taking)),
    count: (...using: Parameters<typeof quota.count>) => ((writes.counted += 1), quota.count(...using)),
  };
  const parts = { targets, quota: watched, tally: createTally(watched, LIMIT, now), now };
  const work: Promise<unknown>[] = [];
  const ask = (actor: UserActor) =>
    admit(parts, { actor, model: 'm', findPlace: async () => undefined, waitUntil: (one) => void work.push(one) });
  return { writes, ask, settle: () => Promise.all(work) };
}

const usedBy = async (actor: UserActor) => (await quota.usage(actor)).find(({ limit }) => limit === LIMIT)?.used;
const passed = (tries: readonly PromiseSettledResult<unknown>[]) =>
  tries.filter(({ status }) => status === 'fulfilled').length;
const many = <T>(count: number, one: () => Promise<T>) => Promise.allSettled(Array.from({ length: count }, one));

describe('completions of a plan', () => {
  test('far from its limit are counted together, and nobody waits for that', async () => {
    const actor = member(1000);
    const { ask, writes, settle } = anInstallation();
    await ask(actor);
    expect(passed(await many(50, () => ask(actor)))).toBe(50);
    await settle();
    expect(writes.reserved).toBe(1);
    expect(writes.counted).toBeLessThan(5);
    expect(await usedBy(actor)).toBe(51);
  });

  test('never exceed it, and near its end are reserved one by one', async () => {
    const actor = member(150);
    const { ask, settle } = anInstallation();
    await ask(actor);
    const tries = [
      await many(60, () => ask(actor)),
      await many(60, () => ask(actor)),
      await many(60, () => ask(actor)),
    ];
    await settle();
    expect(1 + passed(tries.flat())).toBe(150);
    expect(await usedBy(actor)).toBe(150);
  });

  test('under a small limit pass exactly as often as it says', async () => {
    const actor = member(7);
    const { ask, settle } = anInstallation();
    expect(passed(await many(20, () => ask(actor)))).toBe(7);
    await settle();
    expect(await usedBy(actor)).toBe(7);
  });

  test('without limit are only counted', async () => {
    const actor = member(null);
    const { ask, writes, settle } = anInstallation();
    await many(20, () => ask(actor));
    await settle();
    expect(writes).toEqual({ reserved: 0, counted: 1 });
    expect(await usedBy(actor)).toBe(20);
  });

  test('that were given back do not count', async () => {
    const actor = member(1000);
    const { ask, settle } = anInstallation();
    await ask(actor);
    const { reservation } = await ask(actor);
    await reservation.release();
    await reservation.release();
    await settle();
    await ask(actor);
    await settle();
    expect(await usedBy(actor)).toBe(2);
  });
});
