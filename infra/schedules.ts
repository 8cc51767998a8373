import { PolicyDocument, type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule, CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type Description, functionsOf } from './functions.ts';
import { allow } from './grant.ts';
import { namesOf } from './names.ts';
import type { JobSource } from './resources.ts';
import type { Stage } from './stage.ts';

/** The group of schedules that functions make at run time, and the role those schedules act with. */
export function createRunTimeSchedules(scope: Construct, stage: Stage, description: Description) {
  const names = namesOf(stage);
  new CfnScheduleGroup(scope, 'run-time-schedules', { name: names.scheduleGroup });
  const queues = new Set(
    functionsOf(description).flatMap(({ needs }) => (needs.schedules ? (needs.queues ?? []) : [])),
  );
  if (queues.size === 0) return;
  new Role(scope, 'run-time-schedules-role', {
    roleName: names.scheduleRole,
    ...schedulerMay(allow(['sqs:SendMessage'], ...[...queues].map(names.queueArn))),
  });
}

type Period = Extract<JobSource, { readonly every: unknown }>['every'];

interface JobSchedule {
  readonly name: string;
  readonly every: Period;
  readonly target: IFunction;
  readonly deadLetters: IQueue;
}

export const createJobScheduleGroup = (scope: Construct, stage: Stage) =>
  new CfnScheduleGroup(scope, 'job-schedules', { name: namesOf(stage).jobScheduleGroup });

/** Delivery is tried for an hour: a later tick would only repeat what the next one does anyway. */
export function createJobSchedule(scope: Construct, group: CfnScheduleGroup, job: JobSchedule) {
  const role = new Role(
    scope,
    `${job.name}-schedule-role`,
    schedulerMay(
      allow(['lambda:InvokeFunction'], job.target.functionArn),
      allow(['sqs:SendMessage'], job.deadLetters.queueArn),
    ),
  );
  new CfnSchedule(scope, `${job.name}-schedule`, {
    groupName: group.ref,
    scheduleExpression: `rate(1 ${job.every})`,
    flexibleTimeWindow: { mode: 'OFF' },
    target: {
      arn: job.target.functionArn,
      roleArn: role.roleArn,
      deadLetterConfig: { arn: job.deadLetters.queueArn },
      retryPolicy: { maximumEventAgeInSeconds: 3600, maximumRetryAttempts: 5 },
    },
  });
}

const schedulerMay = (...statements: PolicyStatement[]) => ({
  assumedBy: new ServicePrincipal('scheduler.amazonaws.com'),
  inlinePolicies: { own: new PolicyDocument({ statements }) },
});
