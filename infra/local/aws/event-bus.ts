import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { atomically } from './database.ts';
import { AwsFault } from './fault.ts';
import { nameIn, type Identity } from './identity.ts';
import { MAX_MESSAGE_BYTES } from './queues/attributes.ts';
import type { Queues } from './queues/queues.ts';
import { operation, type TargetService } from './wire.ts';

/** A value matches when it equals one of the texts or begins with one of the prefixes; an absent key matches all. */
export const EventPattern = z.strictObject({
  source: z.array(z.union([z.string(), z.strictObject({ prefix: z.string() })])).optional(),
  'detail-type': z.array(z.union([z.string(), z.strictObject({ prefix: z.string() })])).optional(),
});
export type EventPattern = z.infer<typeof EventPattern>;

export interface EventRule {
  readonly bus: string;
  readonly pattern: EventPattern;
  /** Names of queues. */
  readonly targets: readonly string[];
}

export interface EventBusOptions {
  readonly db: DatabaseSync;
  readonly identity: Identity;
  readonly now: () => number;
  readonly queues: Queues;
  readonly buses: readonly string[];
  readonly rules: readonly EventRule[];
}

const Entry = z.object({
  Source: z.string().optional(),
  DetailType: z.string().optional(),
  Detail: z.string().optional(),
  EventBusName: z.string().default('default'),
  Resources: z.array(z.string()).default([]),
  Time: z.number().optional(),
  TraceHeader: z.string().optional(),
});
type Entry = z.infer<typeof Entry>;

export function eventBridgeService(options: EventBusOptions): TargetService {
  checkRules(options);
  return {
    target: 'AWSEvents',
    version: '1.1',
    invalid: 'ValidationException',
    operations: {
      PutEvents: operation(z.object({ Entries: z.array(Entry).min(1).max(10) }), ({ Entries }) => {
        checkTotal(Entries);
        const results = atomically(options.db, () => Entries.map((entry) => putEvent(options, entry)));
        return { FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length, Entries: results };
      }),
    },
  };
}

/** All targets of an event are queues in the same database, so an accepted event is in every one of them. */
function putEvent(options: EventBusOptions, entry: Entry) {
  const refused = refusalOf(options, entry);
  if (refused) return { ErrorCode: refused[0], ErrorMessage: refused[1] };
  const EventId = randomUUID();
  const body = envelope(options, entry, EventId);
  if (Buffer.byteLength(body) > MAX_MESSAGE_BYTES)
    return { ErrorCode: 'InvalidArgument', ErrorMessage: 'The event does not fit into a queue message.' };
  for (const queue of targetsOf(options.rules, entry)) options.queues.send(queue, { body, trace: entry.TraceHeader });
  return { EventId };
}

/** The detail is passed on as it was written: re-printing would bend large numbers. */
function envelope({ identity, now }: EventBusOptions, entry: Entry, id: string) {
  const at = entry.Time === undefined ? now() : entry.Time * 1000;
  const head = JSON.stringify({
    version: '0',
    id,
    'detail-type': entry.DetailType,
    source: entry.Source,
    account: identity.account,
    time: new Date(at).toISOString().replace(/\.\d+Z$/, 'Z'),
    region: identity.region,
    resources: entry.Resources,
  });
  return `${head.slice(0, -1)},"detail":${entry.Detail}}`;
}

const targetsOf = (rules: readonly EventRule[], { Source = '', DetailType = '', EventBusName }: Entry) =>
  new Set(
    rules
      .filter(({ bus }) => bus === nameIn(EventBusName))
      .filter(({ pattern }) => matches(pattern.source, Source) && matches(pattern['detail-type'], DetailType))
      .flatMap(({ targets }) => targets),
  );

const matches = (allowed: EventPattern['source'], value: string) =>
  allowed === undefined ||
  allowed.some((one) => (typeof one === 'string' ? one === value : value.startsWith(one.prefix)));

function refusalOf({ buses }: EventBusOptions, entry: Entry): readonly [code: string, message: string] | undefined {
  const { Source, DetailType, Detail } = entry;
  if (!Source) return ['InvalidArgument', 'Parameter Source is not valid. Reason: Source is a required argument.'];
  if (!DetailType)
    return ['InvalidArgument', 'Parameter DetailType is not valid. Reason: DetailType is a required argument.'];
  if (!Detail) return ['InvalidArgument', 'Parameter Detail is not valid. Reason: Detail is a required argument.'];
  if (Source.startsWith('aws.'))
    return ['NotAuthorizedForSourceException', 'Sources beginning with aws. are reserved.'];
  if (!isJsonObject(Detail)) return ['MalformedDetail', 'Detail is malformed.'];
  if (!buses.includes(nameIn(entry.EventBusName)))
    return ['InvalidArgument', `Event bus ${entry.EventBusName} does not exist.`];
  return undefined;
}

function isJsonObject(text: string) {
  try {
    return z.record(z.string(), z.unknown()).safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

function checkTotal(entries: readonly Entry[]) {
  const total = entries.reduce((sum, entry) => sum + entrySize(entry), 0);
  if (total > MAX_MESSAGE_BYTES)
    throw new AwsFault('ValidationException', 'Total size of the entries in the request is over the limit.');
}

const entrySize = ({ Source = '', DetailType = '', Detail = '', Resources, Time }: Entry) =>
  [Source, DetailType, Detail, ...Resources].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    Time === undefined ? 0 : 14,
  );

function checkRules({ buses, rules, queues }: EventBusOptions) {
  for (const { bus, pattern, targets } of rules) {
    EventPattern.parse(pattern);
    if (!buses.includes(bus)) throw new Error(`A rule names the bus ${bus}, which is not declared`);
    const missing = targets.find((target) => !queues.registry.has(target));
    if (missing) throw new Error(`A rule of the bus ${bus} targets the queue ${missing}, which does not exist`);
  }
}
