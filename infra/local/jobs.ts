import type { AwsHost } from './aws/host.ts';
import { createLambdaContext } from './aws/lambda/context.ts';
import { pollQueue } from './aws/lambda/poll-queue.ts';
import { pollStream } from './aws/lambda/poll-stream.ts';
import { deadLettersOf } from './cloud.ts';
import type { JobHandler, LoadedJob } from './families.ts';
import { localTableName } from './tables.ts';

export interface RunningJobs {
  /** Something was probably written: the consumers of table streams look now instead of at their next poll. */
  readonly nudge: () => void;
  stop(): Promise<void>;
}

/** Lambda would start more functions; a few runs that take minutes must not hold up all others. */
const BATCHES_AT_ONCE = 64;

/** Each job hangs on its source, as an event-source mapping would hang it in the cloud. */
export function startJobs(jobs: readonly LoadedJob[], cloud: AwsHost, dynamodb: string): RunningJobs {
  const streams = jobs.flatMap((job) => {
    const { source } = job.spec;
    if (!('table' in source)) return [];
    const table = localTableName(source.table);
    const onFailure = cloud.queue(deadLettersOf(job.name));
    return [
      pollStream({
        ...identityOf(job),
        handler: nudging(job.handler, () => nudge()),
        endpoint: dynamodb,
        table,
        positions: cloud.positions,
        onFailure,
      }),
    ];
  });
  const nudge = () => streams.forEach((stream) => stream.nudge());
  const queues = jobs.flatMap((job) => {
    const { source } = job.spec;
    if (!('queue' in source)) return [];
    return [
      pollQueue({
        ...identityOf(job),
        handler: nudging(job.handler, nudge),
        queue: cloud.queue(source.queue),
        batchSize: source.batch,
        concurrency: BATCHES_AT_ONCE,
      }),
    ];
  });
  const stop = async () => void (await Promise.all([...streams, ...queues].map((poller) => poller.stop())));
  return { nudge, stop };
}

const identityOf = ({ name, spec }: LoadedJob) => ({ functionName: name, timeout: spec.timeout, memory: spec.memory });

const nudging =
  (handler: JobHandler, nudge: () => void): JobHandler =>
  async (event, context) => {
    try {
      return await handler(event, context);
    } finally {
      nudge();
    }
  };

/** What a schedule does when it is due. */
export function runJob(jobs: readonly LoadedJob[], name: string, event: unknown): Promise<unknown> {
  const job = jobs.find((one) => one.name === name);
  if (!job) throw new Error(`A schedule names the job ${name}, which does not exist`);
  return job.handler(event ?? {}, createLambdaContext({ functionName: name, timeout: job.spec.timeout }));
}
