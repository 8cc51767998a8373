import { createJsonClient } from '../../shared/aws/json.ts';
import { AwsError } from '../../shared/aws/client.ts';
import { TABLES, type TableName, type TableSpec } from '../resources.ts';

const dynamodb = createJsonClient('dynamodb', { targetPrefix: 'DynamoDB_20120810', version: '1.0' });

export const localTableName = (table: TableName) => `atrium-${table}`;

/** Creates what the description names and the engine lacks. */
export async function createTables() {
  const { TableNames } = await dynamodb<{ TableNames: string[] }>('ListTables', {});
  const missing = Object.entries(TABLES).filter(([name]) => !TableNames.includes(localTableName(name as TableName)));
  await Promise.all(missing.map(([name, spec]) => createTable(localTableName(name as TableName), spec)));
}

async function createTable(TableName: string, spec: TableSpec) {
  const indexes = Object.entries(spec.indexes ?? {});
  const attributes = ['pk', 'sk', ...indexes.flatMap(([index]) => [`${index}pk`, `${index}sk`])];
  const request = {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: attributes.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: keySchema(''),
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map(([IndexName, kept]) => ({
        IndexName,
        KeySchema: keySchema(IndexName),
        Projection: { ProjectionType: kept === 'all' ? 'ALL' : 'KEYS_ONLY' },
      })),
    }),
    ...(spec.stream && { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } }),
  };
  await dynamodb('CreateTable', request).catch((error: unknown) => {
    if (!(error instanceof AwsError && error.code === 'ResourceInUseException')) throw error;
  });
  if (spec.expires) {
    const TimeToLiveSpecification = { Enabled: true, AttributeName: 'ttl' };
    await dynamodb('UpdateTimeToLive', { TableName, TimeToLiveSpecification });
  }
}

const keySchema = (prefix: string) => [
  { AttributeName: `${prefix}pk`, KeyType: 'HASH' },
  { AttributeName: `${prefix}sk`, KeyType: 'RANGE' },
];
