import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type * as z from 'zod';
import { log } from '../../../../shared/log.ts';
import { atomically } from '../database.ts';
import { arn, nameIn, type Identity } from '../identity.ts';
import type { Invocations } from './invocations.ts';
import type { Queues } from '../queues/queues.ts';
import type { ScheduleStore } from './schedule-store.ts';
import { nextRun, payloadOf, ScheduleInput, type Schedule } from './schedule.ts';

/** A schedule the platform's description names; the host keeps exactly these, beside those made by calls. */
export type DeclaredSchedule = { readonly Name: string } & z.input<typeof ScheduleInput>;

export interface Scheduler {
  /** Runs everything that is due. The host's own timer calls it; tests with their own clock call it too. */
  tick(): void;
  /** Looks anew at what is due next, after a schedule was changed. */
  rearm(): void;
  stop(): void;
}

export interface SchedulerParts {
  readonly db: DatabaseSync;
  readonly identity: Identity;
  readonly now: () => number;
  readonly store: ScheduleStore;
  readonly queues: Queues;
  readonly invocations: Invocations;
}

const LONGEST_TIMER = 60_000;

export function startScheduler(parts: SchedulerParts, declared: readonly DeclaredSchedule[]): Scheduler {
  const { store, now } = parts;
  let timer: NodeJS.Timeout | undefined;
  const rearm = () => {
    clearTimeout(timer);
    const at = store.firstDueAt();
    if (at !== undefined) timer = setTimeout(tick, Math.min(Math.max(at - now(), 0), LONGEST_TIMER)).unref();
  };
  const tick = () => {
    for (let due = store.due(now()); due.length > 0; due = store.due(now())) due.forEach((one) => fire(parts, one));
    rearm();
  };
  atomically(parts.db, () => keepDeclared(parts, declared));
  rearm();
  return { tick, rearm, stop: () => clearTimeout(timer) };
}

/**
 * The message and the next due time are one transaction: no run is lost or doubled by a crash. Runs missed while the
 * host was down are made up for by a single one.
 */
function fire(parts: SchedulerParts, schedule: Schedule) {
  const { db, store, now } = parts;
  const scheduledAt = schedule.nextAt ?? now();
  atomically(db, () => {
    tryDeliver(parts, schedule, scheduledAt);
    const nextAt = nextRun({ ...schedule, lastAt: scheduledAt }, now());
    if (nextAt === undefined && schedule.definition.ActionAfterCompletion === 'DELETE')
      store.remove(schedule.group, schedule.name);
    else store.put({ ...schedule, lastAt: scheduledAt, nextAt });
  });
}

/** A payload the target refuses is refused every time, so the schedule moves on. */
function tryDeliver(parts: SchedulerParts, schedule: Schedule, scheduledAt: number) {
  try {
    deliver(parts, schedule, scheduledAt);
  } catch (error) {
    log.error('schedule could not deliver', { id: `${schedule.group}/${schedule.name}`, error });
  }
}

function deliver(parts: SchedulerParts, schedule: Schedule, scheduledAt: number) {
  const { identity, queues, invocations } = parts;
  const { Target } = schedule.definition;
  const run = { ...identity, arn: scheduleArn(identity, schedule), scheduledAt, executionId: randomUUID() };
  const body = payloadOf(schedule, run);
  const deadLetters = Target.DeadLetterConfig?.Arn;
  if (Target.Arn.includes(':lambda:'))
    return invocations.add({ functionName: nameIn(Target.Arn), payload: body, deadLetters });
  const queue = [Target.Arn, deadLetters].find((one) => one !== undefined && queues.registry.has(one));
  if (queue) queues.send(queue, { body });
  else log.error('schedule has no queue to send to', { id: `${schedule.group}/${schedule.name}`, reason: Target.Arn });
}

export const scheduleArn = (identity: Identity, { group, name }: Pick<Schedule, 'group' | 'name'>) =>
  arn(identity, 'scheduler', `schedule/${group}/${name}`);

/** An unchanged declaration keeps its place in time across restarts; one that is gone is removed. */
function keepDeclared({ store, now }: SchedulerParts, declared: readonly DeclaredSchedule[]) {
  const wanted = declared.map(({ Name, ...input }) => ({ name: Name, definition: ScheduleInput.parse(input) }));
  const isWanted = ({ group, name }: Schedule) =>
    wanted.some((one) => one.name === name && one.definition.GroupName === group);
  for (const old of store.declared()) if (!isWanted(old)) store.remove(old.group, old.name);
  for (const { name, definition } of wanted) {
    const old = store.get(definition.GroupName, name);
    if (old && JSON.stringify(old.definition) === JSON.stringify(definition)) continue;
    store.put(scheduleFrom({ name, definition, declared: true, now: now(), old }));
  }
}

interface NewSchedule {
  readonly name: string;
  readonly definition: ScheduleInput;
  readonly declared: boolean;
  readonly now: number;
  readonly old: Schedule | undefined;
}

/** Throws an Error when the expression cannot be read. */
export function scheduleFrom({ name, definition, declared, now, old }: NewSchedule): Schedule {
  const times = { createdAt: old?.createdAt ?? now, modifiedAt: now, lastAt: old?.lastAt };
  // A new rate runs at once, that is at the moment of its creation.
  const nextAt = nextRun({ definition, ...times }, old ? now : now - 1);
  return { group: definition.GroupName, name, definition, declared, ...times, nextAt };
}
