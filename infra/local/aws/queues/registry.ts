import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { AwsFault } from '../fault.ts';
import { nameIn, queueArn, queueUrl, type Identity } from '../identity.ts';
import { checkAttributes, DEFAULT_ATTRIBUTES, redrivePolicy, type QueueAttributes } from './attributes.ts';

export interface QueueRecord {
  readonly name: string;
  readonly arn: string;
  readonly url: string;
  readonly attributes: QueueAttributes;
  readonly createdAt: number;
  readonly modifiedAt: number;
}

export interface QueueRegistry {
  /** By name, address or ARN. */
  get(reference: string): QueueRecord;
  has(reference: string): boolean;
  list(): readonly QueueRecord[];
  create(name: string, attributes: QueueAttributes): QueueRecord;
  update(reference: string, attributes: QueueAttributes): QueueRecord;
  remove(reference: string): void;
}

export interface RegistryOptions {
  readonly db: DatabaseSync;
  readonly identity: Identity;
  readonly now: () => number;
}

const NAME = /^[\w-]{1,80}$/;
const Row = z.object({ name: z.string(), attributes: z.string(), created_at: z.number(), modified_at: z.number() });

/** The queues that exist. Read once at start: this process is the only one that changes them. */
export function createQueueRegistry({ db, identity, now }: RegistryOptions): QueueRegistry {
  const queues = new Map(readQueues(db, identity).map((queue) => [queue.name, queue]));

  const get = (reference: string) => {
    const queue = queues.get(nameIn(reference));
    if (!queue) throw new AwsFault('QueueDoesNotExist', 'The specified queue does not exist.');
    return queue;
  };
  const save = (queue: QueueRecord) => {
    checkRedrive(queue.attributes, (target) => queues.has(nameIn(target)));
    writeQueue(db, queue);
    queues.set(queue.name, queue);
    return queue;
  };
  return {
    get,
    has: (reference) => queues.has(nameIn(reference)),
    list: () => [...queues.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    create(name, attributes) {
      checkAttributes(attributes);
      const existing = queues.get(name);
      if (existing) return demandSame(existing, attributes);
      if (!NAME.test(name)) throw invalidName(name);
      const at = now();
      const address = { name, arn: queueArn(identity, name), url: queueUrl(identity, name) };
      return save({ ...address, attributes: { ...DEFAULT_ATTRIBUTES, ...attributes }, createdAt: at, modifiedAt: at });
    },
    update(reference, attributes) {
      checkAttributes(attributes);
      const queue = get(reference);
      return save({ ...queue, attributes: { ...queue.attributes, ...attributes }, modifiedAt: now() });
    },
    remove(reference) {
      const { name } = get(reference);
      db.prepare('DELETE FROM queues WHERE name = ?').run(name);
      queues.delete(name);
    },
  };
}

const writeQueue = (db: DatabaseSync, { name, attributes, createdAt, modifiedAt }: QueueRecord) =>
  db
    .prepare('INSERT OR REPLACE INTO queues VALUES (?, ?, ?, ?)')
    .run(name, JSON.stringify(attributes), createdAt, modifiedAt);

const readQueues = (db: DatabaseSync, identity: Identity): QueueRecord[] =>
  z
    .array(Row)
    .parse(db.prepare('SELECT * FROM queues').all())
    .map(({ name, attributes, created_at, modified_at }) => ({
      name,
      arn: queueArn(identity, name),
      url: queueUrl(identity, name),
      attributes: z.record(z.string(), z.string()).parse(JSON.parse(attributes)),
      createdAt: created_at,
      modifiedAt: modified_at,
    }));

function demandSame(existing: QueueRecord, attributes: QueueAttributes) {
  const changed = Object.entries(attributes).find(([name, value]) => existing.attributes[name] !== value);
  if (!changed) return existing;
  const why = `A queue already exists with the same name and a different value for attribute ${changed[0]}`;
  throw new AwsFault('QueueNameExists', why);
}

function checkRedrive(attributes: QueueAttributes, exists: (arn: string) => boolean) {
  const policy = redrivePolicy(attributes);
  if (!policy || exists(policy.deadLetterTargetArn)) return;
  throw new AwsFault('InvalidAttributeValue', `The dead-letter queue ${policy.deadLetterTargetArn} does not exist.`);
}

const invalidName = (name: string) =>
  new AwsFault(
    'InvalidParameterValue',
    name.endsWith('.fifo')
      ? 'FIFO queues are not hosted locally.'
      : 'Queue names have 1 to 80 letters, digits, hyphens and underscores.',
  );
