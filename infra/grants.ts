import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  bucketVariable,
  EVENT_BUS,
  queueVariable,
  SCHEDULE_GROUP,
  SCHEDULE_ROLE,
  SEAL_KEY,
  SOCKET_ENDPOINT,
  tableVariable,
} from '../shared/settings/names.ts';
import { arn, type Names } from './names.ts';
import { type Needs, TABLES, type TableSpec } from './resources.ts';

/** What a function may do, what it is told, and which wildcards in that are meant. */
export interface Grant {
  readonly statements: readonly PolicyStatement[];
  readonly environment: Readonly<Record<string, string>>;
  readonly wildcards?: readonly Wildcard[];
}

export interface Wildcard {
  readonly resource: string;
  readonly reason: string;
}

/** Generated values that no name can stand for. */
export interface Handles {
  readonly sealKeyArn: string;
  /** Absent while no job serves the WebSocket API. */
  readonly socketApiId?: string;
}

export const SOCKET_STAGE = 'live';

export function grantsFor(needs: Needs, names: Names, handles: Handles): readonly Grant[] {
  return [
    ...Object.entries(needs.tables ?? {}).map(([table, access]) => tableGrant(names, table, access)),
    ...Object.entries(needs.buckets ?? {}).map(([bucket, access]) => bucketGrant(names, bucket, access)),
    ...(needs.queues ?? []).map((queue) => queueGrant(names, queue)),
    ...(needs.publishes ? [busGrant(names)] : []),
    ...(needs.schedules ? [scheduleGrant(names)] : []),
    ...(needs.sockets ? [socketGrant(handles)] : []),
    ...(needs.mail ? [mailGrant()] : []),
    ...(needs.seals ? [sealGrant(names, handles)] : []),
  ];
}

const allow = (actions: readonly string[], ...resources: string[]) =>
  new PolicyStatement({ actions: [...actions], resources });

const READ_ROWS = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
const CHANGE_ROWS = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'ConditionCheckItem'].map(
  (action) => `dynamodb:${action}`,
);

/** Transactions need no action of their own: each of their operations is checked by its own. */
function tableGrant(names: Names, table: string, access: 'read' | 'insert' | 'write'): Grant {
  const own = names.tableArn(table);
  const read = () => allow(READ_ROWS, own, ...indexesOf(table).map((index) => `${own}/index/${index}`));
  const statements = {
    read: () => [read()],
    insert: () => [allow(['dynamodb:PutItem'], own)],
    write: () => [read(), allow(CHANGE_ROWS, own)],
  };
  return { statements: statements[access](), environment: { [tableVariable(table)]: names.table(table) } };
}

const indexesOf = (table: string) =>
  Object.keys(Object.entries<TableSpec>(TABLES).find(([name]) => name === table)?.[1].indexes ?? {});

function bucketGrant(names: Names, bucket: string, access: 'read' | 'write'): Grant {
  const objects = `${names.bucketArn(bucket)}/*`;
  const change = ['s3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'];
  return {
    statements: [
      allow(['s3:GetObject', ...(access === 'write' ? change : [])], objects),
      // Without it S3 answers a missing object with 403 instead of 404.
      allow(['s3:ListBucket'], names.bucketArn(bucket)),
    ],
    environment: { [bucketVariable(bucket)]: names.bucket(bucket) },
    wildcards: [{ resource: objects, reason: 'Objects are made at run time; the grant ends at this one bucket.' }],
  };
}

const queueGrant = (names: Names, queue: string): Grant => ({
  statements: [allow(['sqs:SendMessage'], names.queueArn(queue))],
  environment: { [queueVariable(queue)]: names.queueUrl(queue) },
});

const busGrant = (names: Names): Grant => ({
  statements: [allow(['events:PutEvents'], names.busArn)],
  environment: { [EVENT_BUS]: names.bus },
});

const scheduleGrant = (names: Names): Grant => ({
  statements: [
    allow(
      ['Create', 'Update', 'Delete', 'Get'].map((verb) => `scheduler:${verb}Schedule`),
      names.scheduleArn,
    ),
    new PolicyStatement({
      actions: ['iam:PassRole'],
      resources: [names.scheduleRoleArn],
      conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
    }),
  ],
  environment: { [SCHEDULE_GROUP]: names.scheduleGroup, [SCHEDULE_ROLE]: names.scheduleRoleArn },
  wildcards: [
    { resource: names.scheduleArn, reason: 'Schedules are made at run time; the grant ends at their own group.' },
  ],
});

function socketGrant({ socketApiId }: Handles): Grant {
  if (socketApiId === undefined) {
    throw new Error('A function needs sockets, but no job in infra/resources.ts serves the WebSocket API');
  }
  const connections = ['POST', 'DELETE'].map((method) =>
    arn('execute-api', `${socketApiId}/${SOCKET_STAGE}/${method}/@connections/*`),
  );
  const host = `${socketApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`;
  return {
    statements: [allow(['execute-api:ManageConnections'], ...connections)],
    environment: { [SOCKET_ENDPOINT]: `https://${host}/${SOCKET_STAGE}` },
    wildcards: connections.map((resource) => ({
      resource,
      reason: 'Connections come and go; the grant ends at this one API.',
    })),
  };
}

function mailGrant(): Grant {
  const identities = arn('ses', 'identity/*');
  return {
    statements: [allow(['ses:SendEmail', 'ses:SendRawEmail'], identities)],
    environment: {},
    wildcards: [
      { resource: identities, reason: 'The sender is a setting, so its verified identity is unknown at deployment.' },
    ],
  };
}

const sealGrant = (names: Names, { sealKeyArn }: Handles): Grant => ({
  statements: [allow(['kms:GenerateDataKey', 'kms:Decrypt'], sealKeyArn)],
  environment: { [SEAL_KEY]: names.sealAlias },
});
