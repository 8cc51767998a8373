import type { AwsHost } from './aws/host.ts';
import { createLambdaContext } from './aws/lambda/context.ts';
import { pollQueue } from './aws/lambda/poll-queue.ts';
import { pollStream } from './aws/lambda/poll-stream.ts';
import { deadLettersOf } from './cloud.ts';
import type { LoadedJob } from './families.ts';
import { localTableName } from './tables.ts';

export interface RunningJobs {
  stop(): Promise<void>;
}

/** Each job hangs on its source, as an event-source mapping would hang it in the cloud. */
export function startJobs(jobs: readonly LoadedJob[], cloud: AwsHost, dynamodb: string): RunningJobs {
  const pollers = jobs.flatMap(({ name, spec, handler }) => {
    const fn = { functionName: name, timeout: spec.timeout, memory: spec.memory, handler };
    const { source } = spec;
    if ('queue' in source) return [pollQueue({ ...fn, queue: cloud.queue(source.queue), batchSize: source.batch })];
    if ('table' in source) {
      const poisoned = cloud.queue(deadLettersOf(name));
      return [
        pollStream({
          ...fn,
          endpoint: dynamodb,
          table: localTableName(source.table),
          positions: cloud.positions,
          onFailure: poisoned,
        }),
      ];
    }
    return []; // sockets and schedules call their job themselves
  });
  return { stop: async () => void (await Promise.all(pollers.map((poller) => poller.stop()))) };
}

/** What a schedule does when it is due. */
export function runJob(jobs: readonly LoadedJob[], name: string, event: unknown): Promise<unknown> {
  const job = jobs.find((one) => one.name === name);
  if (!job) throw new Error(`A schedule names the job ${name}, which does not exist`);
  return job.handler(event ?? {}, createLambdaContext({ functionName: name, timeout: job.spec.timeout }));
}
