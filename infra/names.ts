import { Aws, CfnOutput, Fn, type Stack } from 'aws-cdk-lib';
import type { Stage } from './stage.ts';

/**
 * The names of everything that stacks know of each other. They follow from the stage alone, so a function's
 * environment is literal (`sam local` can read it) and no stack blocks another one's update by an export.
 */
export function namesOf(stage: Stage) {
  const plain = (name: string) => `atrium-${stage.name}-${name.replaceAll('_', '-')}`;
  const bucket = (name: string) => `${plain(name)}-${Aws.ACCOUNT_ID}-${Aws.REGION}`;
  return {
    stack: plain,
    table: plain,
    tableArn: (name: string) => arn('dynamodb', `table/${plain(name)}`),
    bucket,
    bucketArn: (name: string) => `arn:${Aws.PARTITION}:s3:::${bucket(name)}`,
    queue: plain,
    queueArn: (name: string) => arn('sqs', plain(name)),
    queueUrl: (name: string) => `https://sqs.${Aws.REGION}.${Aws.URL_SUFFIX}/${Aws.ACCOUNT_ID}/${plain(name)}`,
    function: plain,
    logGroup: (name: string) => `/atrium/${stage.name}/${name}`,
    /** Gateways deliver to groups under this prefix without filling up the account's resource policy. */
    accessLog: (name: string) => `/aws/vendedlogs/atrium/${stage.name}/${name}`,
    bus: plain('events'),
    busArn: arn('events', `event-bus/${plain('events')}`),
    settings: plain('settings'),
    /** Secrets Manager adds six characters to every name. */
    settingsArn: arn('secretsmanager', `secret:${plain('settings')}-??????`),
    sealAlias: `alias/${plain('seal')}`,
    addressParameter: `/atrium/${stage.name}/address`,
    addressParameterArn: arn('ssm', `parameter/atrium/${stage.name}/address`),
    /** Schedules that functions make; the platform's own are in a group they cannot touch. */
    scheduleGroup: plain('schedules'),
    scheduleArn: arn('scheduler', `schedule/${plain('schedules')}/*`),
    jobScheduleGroup: plain('jobs'),
    /** Role names are global in an account. */
    scheduleRole: `${plain('schedules')}-${Aws.REGION}`,
    scheduleRoleArn: `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/${plain('schedules')}-${Aws.REGION}`,
  };
}

export type Names = ReturnType<typeof namesOf>;

export const arn = (service: string, resource: string) =>
  `arn:${Aws.PARTITION}:${service}:${Aws.REGION}:${Aws.ACCOUNT_ID}:${resource}`;

/** Hands a generated value to other stacks as an output they read by name; unlike an export it never locks the producer. */
export function handOver(from: Stack, id: string, value: string): string {
  new CfnOutput(from, id, { value });
  return Fn.getStackOutput(from.stackName, id);
}
