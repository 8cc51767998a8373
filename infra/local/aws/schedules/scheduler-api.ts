import { AwsFault } from '../fault.ts';
import { type Identity } from '../identity.ts';
import type { ScheduleStore } from './schedule-store.ts';
import { ScheduleInput, type Schedule } from './schedule.ts';
import { scheduleArn, scheduleFrom, type Scheduler } from './scheduler.ts';
import { readJson, type AwsCall, type PathService } from '../wire.ts';

export interface SchedulerApiOptions {
  readonly identity: Identity;
  readonly now: () => number;
  readonly store: ScheduleStore;
  readonly scheduler: Scheduler;
  /** Besides `default`. */
  readonly groups: readonly string[];
}

const ONE = /^\/schedules\/([^/]+)$/;

export const schedulerService = (options: SchedulerApiOptions): PathService => ({
  invalid: 'ValidationException',
  routes: [
    { method: 'POST', path: ONE, run: ([name = ''], call) => save(options, name, { call, isNew: true }) },
    { method: 'PUT', path: ONE, run: ([name = ''], call) => save(options, name, { call, isNew: false }) },
    { method: 'GET', path: ONE, run: ([name = ''], call) => describe(options, find(options, name, groupOf(call))) },
    { method: 'DELETE', path: ONE, run: ([name = ''], call) => remove(options, name, groupOf(call)) },
    { method: 'GET', path: /^\/schedules$/, run: (_, call) => list(options, call.query) },
  ],
});

const groupOf = (call: AwsCall) => call.query.get('groupName') ?? 'default';

function save(options: SchedulerApiOptions, name: string, { call, isNew }: { call: AwsCall; isNew: boolean }) {
  const { store, scheduler, identity, now } = options;
  if (!/^[\w.-]{1,64}$/.test(name)) throw invalid('A schedule name has 1 to 64 letters, digits and _.-');
  const definition = ScheduleInput.parse(readJson(call.body));
  if (!['default', ...options.groups].includes(definition.GroupName))
    throw missing(`Schedule group ${definition.GroupName}`);
  const old = store.get(definition.GroupName, name);
  if (isNew && old && !isRepeated(definition, old))
    throw new AwsFault('ConflictException', `Schedule ${name} already exists.`, 409);
  if (!isNew && !old) throw missing(`Schedule ${name}`);
  checkInput(definition);
  store.put(asInvalid(() => scheduleFrom({ name, definition, declared: old?.declared ?? false, now: now(), old })));
  scheduler.rearm();
  return { ScheduleArn: scheduleArn(identity, { group: definition.GroupName, name }) };
}

const isRepeated = ({ ClientToken }: ScheduleInput, old: Schedule) =>
  ClientToken !== undefined && ClientToken === old.definition.ClientToken;

function checkInput({ Target }: ScheduleInput) {
  if (Target.Input === undefined || !Target.Arn.includes(':lambda:')) return;
  asInvalid(() => JSON.parse(Target.Input ?? ''));
}

function asInvalid<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : 'Invalid schedule.');
  }
}

function find({ store }: SchedulerApiOptions, name: string, group: string): Schedule {
  const schedule = store.get(group, name);
  if (!schedule) throw missing(`Schedule ${name}`);
  return schedule;
}

function remove(options: SchedulerApiOptions, name: string, group: string) {
  find(options, name, group);
  options.store.remove(group, name);
  options.scheduler.rearm();
  return {};
}

const describe = ({ identity }: SchedulerApiOptions, schedule: Schedule) => ({
  ...schedule.definition,
  ClientToken: undefined,
  StartDate: inSeconds(schedule.definition.StartDate),
  EndDate: inSeconds(schedule.definition.EndDate),
  Name: schedule.name,
  Arn: scheduleArn(identity, schedule),
  CreationDate: inSeconds(schedule.createdAt),
  LastModificationDate: inSeconds(schedule.modifiedAt),
});

function list({ store, identity }: SchedulerApiOptions, query: URLSearchParams) {
  const limit = Math.min(Math.max(Number(query.get('MaxResults') ?? 100) || 100, 1), 100);
  const state = query.get('State');
  const after = Buffer.from(query.get('NextToken') ?? '', 'base64url').toString('utf8');
  const found = store.list({
    group: query.get('ScheduleGroup'),
    prefix: query.get('NamePrefix') ?? '',
    after,
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    Schedules: page
      .filter(({ definition }) => state === null || definition.State === state)
      .map((one) => summary(identity, one)),
    NextToken:
      found.length > limit && last ? Buffer.from(`${last.group}/${last.name}`).toString('base64url') : undefined,
  };
}

const summary = (identity: Identity, schedule: Schedule) => ({
  Arn: scheduleArn(identity, schedule),
  Name: schedule.name,
  GroupName: schedule.group,
  State: schedule.definition.State,
  CreationDate: inSeconds(schedule.createdAt),
  LastModificationDate: inSeconds(schedule.modifiedAt),
  Target: { Arn: schedule.definition.Target.Arn },
});

const inSeconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1000);
const invalid = (message: string) => new AwsFault('ValidationException', message);
const missing = (what: string) => new AwsFault('ResourceNotFoundException', `${what} does not exist.`, 404);
