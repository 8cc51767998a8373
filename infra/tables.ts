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

/** Every table of the description, by name. */
export const createTables = (scope: Construct, stage: Stage): ReadonlyMap<string, TableV2> =>
  new Map(Object.entries<TableSpec>(TABLES).map(([name, spec]) => [name, createTable(scope, { name, spec, stage })]));

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
