import { JOBS } from '../job-list.ts';
import { BUS_RULES, QUEUES, type JobSpec, type QueueSpec } from '../resources.ts';
import { startAwsHost, type AwsHost, type DeclaredQueue } from './aws/host.ts';
import type { Mailbox } from './mailbox.ts';
import { LOCAL_CREDENTIALS } from './objects.ts';
import type { SocketGateway } from './sockets.ts';

interface CloudParts {
  readonly dataDir: string | undefined;
  readonly mailbox: Mailbox;
  readonly sockets: SocketGateway;
  /** Runs a job by its name; the jobs are loaded after this host has started. */
  readonly invoke: (job: string, event: unknown) => Promise<unknown>;
}

export const BUS = 'atrium';
export const deadLettersOf = (source: string) => `${source}-dead`;

/** Queues, bus, schedules, mail, sockets and keys, as the description names them. */
export const startCloud = ({ dataDir, mailbox, sockets, invoke }: CloudParts): Promise<AwsHost> =>
  startAwsHost({
    dataDir,
    deliver: { onMail: (mail) => mailbox.keep(mail), sockets, invoke },
    queues: [
      ...Object.entries<QueueSpec>(QUEUES).flatMap(declared),
      ...Object.entries<JobSpec>(JOBS).flatMap(poisoned),
    ],
    buses: [BUS],
    rules: BUS_RULES.map(({ detailType, queue }) => ({
      bus: BUS,
      pattern: { 'detail-type': [detailType] },
      targets: [queue],
    })),
    schedules: Object.entries<JobSpec>(JOBS).flatMap(([name, { source }]) =>
      'every' in source ? [every(name, source.every)] : [],
    ),
    scheduleGroups: [BUS],
    keys: ['alias/atrium'],
    accessKeyId: LOCAL_CREDENTIALS.accessKeyId,
  });

const declared = ([name, { visibility, maxReceives }]: [string, QueueSpec]): DeclaredQueue[] => [
  { name: deadLettersOf(name) },
  {
    name,
    attributes: { VisibilityTimeout: String(visibility) },
    deadLetters: { queue: deadLettersOf(name), maxReceives },
  },
];

/** Where a table's consumer puts the records it cannot handle. */
const poisoned = ([job, { source }]: [string, JobSpec]): DeclaredQueue[] =>
  'table' in source ? [{ name: deadLettersOf(job) }] : [];

const every = (job: string, unit: 'minute' | 'hour' | 'day') => ({
  Name: `every-${unit}-${job}`,
  ScheduleExpression: `rate(1 ${unit})`,
  FlexibleTimeWindow: { Mode: 'OFF' as const },
  Target: {
    Arn: `arn:aws:lambda:us-east-1:000000000000:function:${job}`,
    RoleArn: 'arn:aws:iam::000000000000:role/local',
  },
});
