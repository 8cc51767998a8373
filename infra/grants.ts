import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  EVENT_BUS,
  queueVariable,
  SCHEDULE_GROUP,
  SCHEDULE_ROLE,
  SEAL_KEY,
  SOCKET_ENDPOINT,
} from '../shared/settings/names.ts';
import { allow, type Grant } from './grant.ts';
import { arn, type Names } from './names.ts';
import type { Needs } from './resources.ts';
import { bucketGrant, tableGrant } from './storage-grants.ts';

/** Generated values that no name can stand for. */
export interface Handles {
  readonly sealKeyArn: string;
  /** Absent while no job serves the WebSocket API. */
  readonly socketApiId?: string;
}

export const SOCKET_STAGE = 'live';

interface Context extends Handles {
  readonly names: Names;
}

/** One rule per kind of need: a kind that is added to the description does not compile until it is granted here. */
type Rules = {
  readonly [Kind in keyof Required<Needs>]: (need: NonNullable<Needs[Kind]>, context: Context) => readonly Grant[];
};

const RULES: Rules = {
  tables: (tables, { names }) => Object.entries(tables).map(([table, access]) => tableGrant(names, table, access)),
  buckets: (buckets, { names }) =>
    Object.entries(buckets).map(([bucket, access]) => bucketGrant(names, bucket, access)),
  queues: (queues, { names }) => queues.map((queue) => queueGrant(names, queue)),
  publishes: (_, { names }) => [busGrant(names)],
  schedules: (_, { names }) => [scheduleGrant(names)],
  sockets: (_, context) => [socketGrant(context)],
  mail: () => [mailGrant()],
  seals: (_, context) => [sealGrant(context)],
};

export function grantsFor(needs: Needs, names: Names, handles: Handles): readonly Grant[] {
  const granted = <Kind extends keyof Needs>(kind: Kind) => {
    const need = needs[kind];
    return need ? RULES[kind](need, { ...handles, names }) : [];
  };
  return (Object.keys(RULES) as (keyof Needs)[]).flatMap((kind) => granted(kind));
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

const sealGrant = ({ names, sealKeyArn }: Context): Grant => ({
  statements: [allow(['kms:GenerateDataKey', 'kms:Decrypt'], sealKeyArn)],
  environment: { [SEAL_KEY]: names.sealAlias },
});
