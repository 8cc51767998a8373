import {
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableV2,
  type GlobalSecondaryIndexPropsV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { namesOf } from './names.ts';
import { TABLES, type TableSpec } from './resources.ts';
import { keepsData, type Stage } from './stage.ts';

/** Creates every table of the description and returns the change streams of those that have one. */
export function createTables(scope: Construct, stage: Stage): ReadonlyMap<string, string> {
  const streams = new Map<string, string>();
  for (const [name, spec] of Object.entries<TableSpec>(TABLES)) {
    const { tableStreamArn } = createTable(scope, { name, spec, stage });
    // The attribute can be asked of any table, but deployment fails where there is no stream.
    if (spec.stream && tableStreamArn) streams.set(name, tableStreamArn);
  }
  return streams;
}

interface TablePlan {
  readonly name: string;
  readonly spec: TableSpec;
  readonly stage: Stage;
}

const createTable = (scope: Construct, { name, spec, stage }: TablePlan) =>
  new TableV2(scope, `${name}-table`, {
    tableName: namesOf(stage).table(name),
    partitionKey: text('pk'),
    sortKey: text('sk'),
    billing: Billing.onDemand(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    timeToLiveAttribute: spec.expires ? 'ttl' : undefined,
    dynamoStream: spec.stream ? StreamViewType.NEW_AND_OLD_IMAGES : undefined,
    globalSecondaryIndexes: Object.entries(spec.indexes ?? {}).map(([index, projected]) => indexOf(index, projected)),
    deletionProtection: keepsData(stage),
    removalPolicy: stage.removal,
  });

const indexOf = (indexName: string, projected: 'all' | 'keys'): GlobalSecondaryIndexPropsV2 => ({
  indexName,
  partitionKey: text(`${indexName}pk`),
  sortKey: text(`${indexName}sk`),
  projectionType: projected === 'all' ? ProjectionType.ALL : ProjectionType.KEYS_ONLY,
});

const text = (name: string) => ({ name, type: AttributeType.STRING });
