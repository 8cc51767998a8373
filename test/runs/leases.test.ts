import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { claimRun, parkRun, renewLease, type Held } from '../../functions/runs/lease-store.ts';
import { commitRows, stepWrite } from '../../functions/runs/store.ts';
import { LeaseLost, RunCancelled } from '../../functions/runs/failure.ts';
import { sweepDue } from '../../functions/runs/sweeper.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import { createSpill } from '../../shared/store/spill.ts';
import { openTable } from '../../shared/store/table.ts';
import { transact } from '../../shared/store/transaction.ts';
import { cancelRun } from '../../shared/workflow/cancel-run.ts';
import { activeKey, rootKey, workKey } from '../../shared/workflow/keys.ts';
import { NO_USAGE, runIdOf } from '../../shared/workflow/run-record.ts';
import { runStart, START_LABELS, type NewRun } from '../../shared/workflow/run-start.ts';
import type { StepRow } from '../../shared/workflow/step-record.ts';
import '../support/host.ts';
import { aUser } from '../support/people.ts';
import { verifies } from '../support/verifies.ts';
import { aPublishedWorkflow } from '../workflows/making.ts';
import { ended } from './running.ts';

const spill = createSpill();
const table = openTable('workflows');

const newRun = (more: Partial<NewRun> = {}): NewRun => {
  const run_id = more.run_id ?? runIdOf(randomUUID());
  return {
    tenant: 'user:nobody',
    run_id,
    workflow_id: 'wf_none',
    version: 1,
    version_id: 'v1',
    trigger: { type: 'event', trigger_id: 't', event_id: 'e', scheduled_for: null },
    correlation_id: run_id,
    user_id: 'u',
    catalog_id: null,
    space_id: null,
    depth: 0,
    root_event_id: run_id,
    chain: [],
    event: null,
    input: null,
    ...more,
  };
};

const start = async (run: NewRun) => {
  try {
    await transact(await runStart(spill, run, Date.now()));
    return 'started';
  } catch (error) {
    if (error instanceof ConditionFailed) return error.what;
    throw error;
  }
};

const LEASE_MS = 60_000;

/** Later for whoever asks, while for the host's own runners the lease still holds. */
const afterTheLease = () => Date.now() + LEASE_MS + 1000;

/** A run that no runner of the host will pick up: its pointer is claimed before the relay can. */
async function heldRun(leaseMs = LEASE_MS): Promise<Held> {
  for (;;) {
    const run = newRun();
    await start(run);
    const held = { tenant: run.tenant, runId: run.run_id, token: randomUUID() };
    if (await claimRun(held, { now: Date.now(), leaseMs })) return held;
  }
}

const aStep = (runId: string): StepRow => ({
  run_id: runId,
  step_id: 'a',
  node_id: 'a',
  kind: 'transform',
  name: '',
  status: 'succeeded',
  attempt: 1,
  attempts: [],
  output: null,
  error: null,
  usage: NO_USAGE,
  emitted_event_ids: [],
  taken: ['out'],
  retry_at: null,
  task: null,
  started_at: 1,
  finished_at: 2,
});

describe('starting a run', () => {
  test('the same start again is told as a repetition, even while the run is active', async () => {
    const run = newRun({ concurrency: 'one_per_correlation' });
    expect(await start(run)).toBe('started');
    expect(await start(run)).toBe(START_LABELS.run);
  });

  verifies(
    'subscriptions/one-per-correlation',
    'of many starts with one correlation id exactly one is let in while it is active',
    async () => {
      const person = await aUser();
      const { id } = await aPublishedWorkflow(person);
      const tenant = `user:${person.userId}`;
      const rush = () =>
        Promise.all(
          Array.from({ length: 20 }, async () => {
            const run = newRun({
              tenant,
              workflow_id: id,
              correlation_id: 'order-1',
              concurrency: 'one_per_correlation',
            });
            return { run, outcome: await start(run) };
          }),
        );
      const first = await rush();
      const started = first.filter(({ outcome }) => outcome === 'started');
      // The run ends within the rush on a fast machine; what counts is that no two overlap.
      expect(started.length).toBeGreaterThanOrEqual(1);
      expect(
        first.filter(({ outcome }) => outcome !== 'started').every(({ outcome }) => outcome === START_LABELS.active),
      ).toBe(true);
      const runs = await Promise.all(started.map(({ run }) => ended(person, { workflow_id: id, run_id: run.run_id })));
      const spans = runs.map(({ started_at, finished_at }) => [started_at, finished_at]).toSorted(([a], [b]) => a - b);
      for (const [at, [from]] of spans.entries())
        if (at > 0) expect(from).toBeGreaterThanOrEqual(spans[at - 1]?.[1] ?? 0);
      const row = await table.get(activeKey(tenant, id, 'order-1'));
      expect(row).not.toHaveProperty('runs');
      expect((await rush()).some(({ outcome }) => outcome === 'started')).toBe(true);
    },
  );

  test('a parallel run with the same correlation id is always let in, and keeps exclusive ones out', async () => {
    const shared = { tenant: `user:${randomUUID()}`, workflow_id: 'wf_gone', correlation_id: 'c' };
    const both = [newRun(shared), newRun(shared)];
    expect(await Promise.all(both.map(start))).toEqual(['started', 'started']);
    const held = both.map((run) => ({ tenant: run.tenant, runId: run.run_id, token: randomUUID() }));
    const claims = await Promise.all(held.map((one) => claimRun(one, { now: Date.now(), leaseMs: 60_000 })));
    if (claims.every(Boolean))
      expect(await start(newRun({ ...shared, concurrency: 'one_per_correlation' }))).toBe(START_LABELS.active);
  });

  test('one event from outside may cause a thousand runs and no more', async () => {
    const tenant = `user:${randomUUID()}`;
    const far = { tenant, depth: 1, root_event_id: 'evt_root' };
    expect(await start(newRun(far))).toBe('started');
    await table.update(rootKey(tenant, 'evt_root'), { set: { runs: 1000 } });
    expect(await start(newRun(far))).toBe(START_LABELS.root);
    expect(await start(newRun({ ...far, depth: 0 }))).toBe('started');
  });
});

describe('leases', () => {
  test('of many runners one gets the run', async () => {
    const { tenant, runId } = await heldRun();
    const tries = Array.from({ length: 10 }, () =>
      claimRun({ tenant, runId, token: randomUUID() }, { now: afterTheLease(), leaseMs: 60_000 }),
    );
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
  });

  test('a runner that lost its lease can neither commit nor renew nor park', async () => {
    const slow = await heldRun();
    const quick = { ...slow, token: randomUUID() };
    expect(await claimRun(quick, { now: afterTheLease(), leaseMs: 60_000 })).toMatchObject({ claims: 2 });
    const late = [
      () => commitRows(slow, [stepWrite(slow, aStep(slow.runId))]),
      () => renewLease(slow, Date.now() + 1000),
      () => parkRun(slow, { at: Date.now(), wake: false, status: 'waiting', reason: null, startedAt: null }),
    ];
    for (const attempt of late) await expect(attempt()).rejects.toThrow(LeaseLost);
    await commitRows(quick, [stepWrite(quick, aStep(quick.runId))]);
  });

  test('a settled step is never written again', async () => {
    const held = await heldRun();
    const step = aStep(held.runId);
    await commitRows(held, [stepWrite(held, step)]);
    await expect(commitRows(held, [stepWrite(held, { ...step, taken: ['else'] })])).rejects.toThrow(LeaseLost);
  });

  test('a cancelled run refuses every further commit and says why', async () => {
    const held = await heldRun();
    await cancelRun({ tenant: held.tenant, runId: held.runId, reason: 'by_user' });
    await expect(commitRows(held, [stepWrite(held, aStep(held.runId))])).rejects.toThrow(RunCancelled);
    await expect(renewLease(held, Date.now() + 1000)).rejects.toThrow(RunCancelled);
  });

  test('a run that was woken while it was worked on is not parked', async () => {
    const held = await heldRun();
    await table.update(workKey(held.tenant, held.runId), { set: { wake: true } });
    expect(
      await parkRun(held, {
        at: Date.now() + 60_000,
        wake: false,
        status: 'waiting',
        reason: 'human',
        startedAt: null,
      }),
    ).toBe(false);
  });

  test('the sweeper takes a lease that ended from its holder and leaves others alone', async () => {
    const [dead, alive] = [await heldRun(1), await heldRun(60_000)];
    await sweepDue(spill, Date.now() + 10);
    await expect(renewLease(dead, Date.now() + 1000)).rejects.toThrow();
    await renewLease(alive, Date.now() + 1000);
  });
});
