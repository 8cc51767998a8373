import { type App, Stack } from 'aws-cdk-lib';
import type { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { SCHEDULES, streamOf } from './dead-letters.ts';
import { PlatformFunction, type Site } from './platform-function.ts';
import { type Description, type JobFunction, jobFunctions } from './functions.ts';
import { namesOf } from './names.ts';
import { createBusRules, createQueues, createUndelivered } from './queues.ts';
import { type JobSource, QUEUES } from './resources.ts';
import { createJobSchedule, createJobScheduleGroup, createRunTimeSchedules } from './schedules.ts';
import { consumeQueue, followTable, mayConsumeQueue, mayFollowTable } from './sources.ts';

interface JobSite extends Site {
  readonly streamArns: ReadonlyMap<string, string>;
}

type SourceWith<Key extends string> = Extract<JobSource, Readonly<Record<Key, unknown>>>;

/** Everything that runs without a caller: table streams, queues, the bus and the clock. */
export class JobsStack extends Stack {
  private readonly site: JobSite;
  private readonly queues: ReadonlyMap<string, Queue>;
  private readonly missedSchedules: Queue;
  private readonly schedules: CfnScheduleGroup;

  constructor(app: App, description: Description, site: JobSite) {
    super(app, namesOf(site.stage).stack('jobs'));
    this.site = site;
    this.queues = createQueues(this, site.stage);
    this.missedSchedules = createUndelivered(this, SCHEDULES, site.stage);
    this.schedules = createJobScheduleGroup(this, site.stage);
    createBusRules(this, site.stage, this.queues);
    createRunTimeSchedules(this, site.stage, description);
    for (const job of jobFunctions(description)) this.addJob(job);
  }

  private addJob(job: JobFunction) {
    const { source } = job;
    if ('table' in source) return this.addTableJob(job, source);
    if ('queue' in source) return this.addQueueJob(job, source);
    if ('every' in source) return this.addScheduledJob(job, source);
    // The job that serves sockets lives with their API.
    source satisfies SourceWith<'sockets'>;
  }

  private addTableJob(job: JobFunction, { table }: SourceWith<'table'>) {
    const streamArn = this.site.streamArns.get(table);
    if (!streamArn) throw new Error(`${job.name} follows the table ${table}, which has no stream`);
    const undelivered = createUndelivered(this, streamOf(job.name), this.site.stage);
    const tableArn = namesOf(this.site.stage).tableArn(table);
    const source = mayFollowTable({ tableArn, streamArn, undelivered });
    followTable(new PlatformFunction(this, job, this.site, { source }).function, { streamArn, undelivered });
  }

  private addQueueJob(job: JobFunction, { queue: name, batch }: SourceWith<'queue'>) {
    const queue = this.queues.get(name);
    if (!queue) throw new Error(`${job.name} consumes an unknown queue: ${name}`);
    if (QUEUES[name].visibility < job.timeout) {
      throw new Error(`${job.name} may run longer than ${name} hides its messages: they would be worked on twice`);
    }
    const source = mayConsumeQueue(queue);
    consumeQueue(new PlatformFunction(this, job, this.site, { source }).function, { queue, batch });
  }

  private addScheduledJob(job: JobFunction, { every }: SourceWith<'every'>) {
    const { function: target } = new PlatformFunction(this, job, this.site);
    createJobSchedule(this, this.schedules, { name: job.name, every, target, deadLetters: this.missedSchedules });
  }
}
