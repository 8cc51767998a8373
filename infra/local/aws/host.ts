import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { connectionService, type Sockets } from './connections.ts';
import { openDatabase } from './database.ts';
import { dispatch } from './dispatch.ts';
import { eventBridgeService, type EventRule } from './event-bus.ts';
import { queueArn, type Identity } from './identity.ts';
import { startInvocations, type Invoke } from './schedules/invocations.ts';
import { masterKey } from './key-file.ts';
import { keyService } from './keys.ts';
import { mailService, type OnMail } from './mail.ts';
import { openQueue, type QueueHandle } from './queues/handle.ts';
import { createQueues, type Queues } from './queues/queues.ts';
import { createScheduleStore } from './schedules/schedule-store.ts';
import { schedulerService } from './schedules/scheduler-api.ts';
import { startScheduler, type DeclaredSchedule } from './schedules/scheduler.ts';
import { secretsService, type ReadSecret } from './secrets.ts';
import { listenOnLoopback, type LoopbackServer } from './server.ts';
import { sqsService } from './queues/sqs.ts';
import { createStreamPositions, type StreamPositions } from './lambda/stream-positions.ts';

export interface DeclaredQueue {
  readonly name: string;
  /** SQS attributes, as text. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly deadLetters?: { readonly queue: string; readonly maxReceives: number };
}

/** What leaves the host. A service without its callback refuses every call. */
export interface Deliveries {
  readonly onMail?: OnMail;
  readonly sockets?: Sockets;
  /** Runs a function that a schedule names. */
  readonly invoke?: Invoke;
  readonly secret?: ReadSecret;
}

export interface AwsHostOptions {
  /** Where queues, schedules, positions and the master key live; undefined keeps them in memory. */
  readonly dataDir: string | undefined;
  readonly deliver?: Deliveries;
  readonly queues?: readonly DeclaredQueue[];
  readonly buses?: readonly string[];
  readonly rules?: readonly EventRule[];
  readonly schedules?: readonly DeclaredSchedule[];
  readonly scheduleGroups?: readonly string[];
  /** KMS key ids and `alias/…` names that exist. */
  readonly keys?: readonly string[];
  readonly region?: string;
  readonly account?: string;
  readonly host?: string;
  readonly port?: number;
  /** When given, only requests signed with this access key are answered. */
  readonly accessKeyId?: string;
  readonly now?: () => number;
}

export interface AwsHost {
  readonly endpoint: string;
  /** The variables by which SDK clients find this host. */
  readonly environment: Readonly<Record<string, string>>;
  readonly queues: Queues;
  readonly queue: (name: string) => QueueHandle;
  readonly positions: StreamPositions;
  /** Looks at the clock: runs due schedules and wakes waiting receivers. Only tests with their own clock need it. */
  readonly tick: () => void;
  readonly stop: () => Promise<void>;
}

const HOUR = 3_600_000;
const DRAIN_MS = 10_000;

/** The AWS services the functions call, in this process, over the real wire protocols. */
export async function startAwsHost(options: AwsHostOptions): Promise<AwsHost> {
  const db = openDatabase(options.dataDir);
  try {
    const server = await listenOnLoopback(options.host ?? '127.0.0.1', options.port ?? 0);
    return await startServices(options, db, server).catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
  } catch (error) {
    db.close();
    throw error;
  }
}

async function startServices(options: AwsHostOptions, db: DatabaseSync, server: LoopbackServer): Promise<AwsHost> {
  const { dataDir, deliver = {}, now = Date.now, region = 'us-east-1', account = '000000000000' } = options;
  const identity: Identity = { region, account, endpoint: server.endpoint };
  const base = { db, identity, now };
  const queues = createQueues(base);
  declareQueues(queues, identity, options.queues ?? []);
  const store = createScheduleStore(db);
  const buses = ['default', ...(options.buses ?? [])];
  const bus = eventBridgeService({ ...base, queues, buses, rules: options.rules ?? [] });
  const keys = keyService({ identity, master: masterKey(dataDir), keys: options.keys ?? [] });
  const invocations = startInvocations(queues, deliver.invoke ?? unhosted);
  const scheduler = startScheduler({ ...base, store, queues, invocations }, options.schedules ?? []);
  const services = {
    byTarget: [sqsService(queues), bus, keys, secretsService(identity, deliver.secret ?? (() => undefined))],
    byPath: [
      schedulerService({ identity, now, store, scheduler, groups: options.scheduleGroups ?? [] }),
      mailService(deliver.onMail ?? unhosted, now),
      connectionService(deliver.sockets ?? NO_SOCKETS),
    ],
  };
  server.serve((call) => dispatch(services, call), options.accessKeyId);
  const sweep = setInterval(() => queues.tick(), HOUR).unref();
  const stop = async () => {
    clearInterval(sweep);
    scheduler.stop();
    // Functions that are still running may call this host, so it outlives them.
    await Promise.race([invocations.stop(), setTimeout(DRAIN_MS, undefined, { ref: false })]);
    await server.stop();
    if (db.isOpen) db.close();
  };
  const tick = () => [scheduler, queues].forEach((one) => one.tick());
  const positions = createStreamPositions(db);
  return { ...addresses(server.endpoint), queues, queue: (name) => openQueue(queues, name), positions, tick, stop };
}

/** Dead-letter queues may be declared after the queues that feed them. */
function declareQueues(queues: Queues, identity: Identity, declared: readonly DeclaredQueue[]) {
  for (const { name, attributes = {} } of declared) queues.declare(name, attributes);
  for (const { name, deadLetters } of declared) {
    if (!deadLetters) continue;
    const policy = {
      deadLetterTargetArn: queueArn(identity, deadLetters.queue),
      maxReceiveCount: deadLetters.maxReceives,
    };
    queues.declare(name, { RedrivePolicy: JSON.stringify(policy) });
  }
}

const SERVICES = ['SQS', 'EVENTBRIDGE', 'SCHEDULER', 'SESV2', 'APIGATEWAYMANAGEMENTAPI', 'SECRETS_MANAGER', 'KMS'];

const addresses = (endpoint: string) => ({
  endpoint,
  environment: Object.fromEntries(SERVICES.map((service) => [`AWS_ENDPOINT_URL_${service}`, endpoint])),
});

const unhosted = async () => {
  throw new Error('The local host was started without this delivery');
};

const NO_SOCKETS: Sockets = { post: () => false, get: () => undefined, close: () => false };
