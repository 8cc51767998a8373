import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { bucketVariable, tableVariable } from '../shared/settings/names.ts';
import { allow, type Grant } from './grant.ts';
import type { Names } from './names.ts';
import { type Needs, TABLES, type TableSpec } from './resources.ts';

const READ_ROWS = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
const CHANGE_ROWS = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'ConditionCheckItem'].map(
  (action) => `dynamodb:${action}`,
);

const INSERT_ROWS = ['dynamodb:PutItem'];

type TableAccess = NonNullable<NonNullable<Needs['tables']>[keyof NonNullable<Needs['tables']>]>;

/** Transactions need no action of their own: each of their operations is checked by its own. */
export function tableGrant(names: Names, table: string, access: TableAccess): Grant {
  const own = names.tableArn(table);
  const read = () => allow(READ_ROWS, own, ...indexesOf(table).map((index) => `${own}/index/${index}`));
  const statements = {
    read: () => [read(), ...marking(table, own)],
    insert: () => [allow(INSERT_ROWS, own)],
    append: () => [read(), allow(INSERT_ROWS, own), ...marking(table, own)],
    write: () => [read(), allow(CHANGE_ROWS, own)],
  };
  return { statements: statements[access](), environment: { [tableVariable(table)]: names.table(table) } };
}

const specOf = (table: string) => Object.entries<TableSpec>(TABLES).find(([name]) => name === table)?.[1];
const indexesOf = (table: string) => Object.keys(specOf(table)?.indexes ?? {});

/** Every function notes when a key or session was last used; it may write that and, by it, learn nothing. */
const marking = (table: string, resource: string): PolicyStatement[] =>
  Object.entries(specOf(table)?.marks ?? {}).map(
    ([rows, attribute]) =>
      new PolicyStatement({
        actions: ['dynamodb:UpdateItem'],
        resources: [resource],
        conditions: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [rows] },
          'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', attribute] },
          StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
        },
      }),
  );

export function bucketGrant(names: Names, bucket: string, access: 'read' | 'write'): Grant {
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
