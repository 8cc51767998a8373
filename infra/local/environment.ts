import {
  bucketVariable,
  EVENT_BUS,
  queueVariable,
  SCHEDULE_GROUP,
  SCHEDULE_ROLE,
  SEAL_KEY,
  SOCKET_ENDPOINT,
  tableVariable,
} from '../../shared/settings/names.ts';
import { BUCKETS, QUEUES, TABLES, type TableName } from '../resources.ts';
import { LOCAL_CREDENTIALS, localBucketName } from './objects.ts';
import { localTableName } from './tables.ts';

export interface Endpoints {
  readonly dynamodb: string;
  readonly s3: string;
  /** Queues, bus, schedules, mail, sockets, secrets and keys, all behind one address. */
  readonly aws: string;
}

const AWS_SERVICES = ['SQS', 'EVENTBRIDGE', 'SCHEDULER', 'SESV2', 'SECRETS_MANAGER', 'KMS', 'APIGATEWAYMANAGEMENTAPI'];

/** What the cloud stacks put into each function's environment, pointing here instead. What the person has set wins. */
export function localEnvironment(endpoints: Endpoints): Record<string, string> {
  const names = (keys: object, variable: (name: string) => string, value: (name: string) => string) =>
    Object.keys(keys).map((name) => [variable(name), value(name)]);
  return Object.fromEntries([
    ['AWS_REGION', 'us-east-1'],
    ['AWS_ACCESS_KEY_ID', LOCAL_CREDENTIALS.accessKeyId],
    ['AWS_SECRET_ACCESS_KEY', LOCAL_CREDENTIALS.secretAccessKey],
    ['AWS_ENDPOINT_URL_DYNAMODB', endpoints.dynamodb],
    ['AWS_ENDPOINT_URL_S3', endpoints.s3],
    ...AWS_SERVICES.map((service) => [`AWS_ENDPOINT_URL_${service}`, endpoints.aws]),
    ...names(TABLES, tableVariable, (name) => localTableName(name as TableName)),
    ...names(BUCKETS, bucketVariable, localBucketName),
    ...names(QUEUES, queueVariable, (name) => localQueueUrl(endpoints.aws, name)),
    [EVENT_BUS, 'atrium'],
    [SOCKET_ENDPOINT, endpoints.aws],
    [SCHEDULE_GROUP, 'atrium'],
    [SCHEDULE_ROLE, 'arn:aws:iam::000000000000:role/local'],
    [SEAL_KEY, 'alias/atrium'],
  ]) as Record<string, string>;
}

const localQueueUrl = (aws: string, queue: string) => `${aws}/000000000000/${queue}`;
