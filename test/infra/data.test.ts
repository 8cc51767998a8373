import { App, RemovalPolicy } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { BUCKETS, type BucketSpec, TABLES, type TableSpec } from '../../infra/resources.ts';
import { stageFrom } from '../../infra/stage.ts';
import { build, ofType, plain, REAL, type Resource, resourcesOf } from './support/synth.ts';

const { stacks } = build(REAL);
const resources = resourcesOf(stacks);
const tables = ofType(resources, 'AWS::DynamoDB::GlobalTable');
const tableNamed = (name: string) =>
  tables.find(({ props }) => props.TableName === `atrium-prod-${name.replace('_', '-')}`) as Resource;

describe('tables', () => {
  test('are those of the description', () => {
    expect(tables).toHaveLength(Object.keys(TABLES).length);
  });

  test.each(Object.entries<TableSpec>(TABLES))(
    '%s is as described: on demand, recoverable, protected',
    (name, spec) => {
      const { props } = tableNamed(name);
      expect(props).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: keys('pk', 'sk'),
        Replicas: [
          { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true }, DeletionProtectionEnabled: true },
        ],
      });
      expect(props.TimeToLiveSpecification).toEqual(spec.expires ? { AttributeName: 'ttl', Enabled: true } : undefined);
      expect(props.StreamSpecification).toEqual(spec.stream ? { StreamViewType: 'NEW_AND_OLD_IMAGES' } : undefined);
      const indexes = Object.entries(spec.indexes ?? {}).map(([index, projected]) => ({
        IndexName: index,
        KeySchema: keys(`${index}pk`, `${index}sk`),
        Projection: { ProjectionType: projected === 'all' ? 'ALL' : 'KEYS_ONLY' },
      }));
      expect(props.GlobalSecondaryIndexes ?? []).toEqual(indexes);
    },
  );

  test('hand over a stream only where there is one, because asking for another fails at deployment', () => {
    const { Outputs } = Template.fromStack(stacks.data).toJSON() as { Outputs: Record<string, unknown> };
    const streaming = Object.entries<TableSpec>(TABLES).filter(([, spec]) => spec.stream);
    expect(Object.keys(Outputs).filter((name) => name.endsWith('Stream'))).toHaveLength(streaming.length);
  });
});

const keys = (hash: string, range: string) => [
  { AttributeName: hash, KeyType: 'HASH' },
  { AttributeName: range, KeyType: 'RANGE' },
];

describe('buckets', () => {
  const buckets = ofType(resources, 'AWS::S3::Bucket');

  test('are private and encrypted, and refuse plain HTTP, wherever they are', () => {
    for (const { props } of buckets) {
      expect(props.PublicAccessBlockConfiguration).toEqual({
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      });
      expect(props.BucketEncryption).toBeDefined();
    }
    const policies = ofType(resources, 'AWS::S3::BucketPolicy').map(({ props }) =>
      JSON.stringify(props.PolicyDocument),
    );
    expect(policies).toHaveLength(buckets.length);
    expect(policies.filter((policy) => policy.includes('"aws:SecureTransport":"false"'))).toHaveLength(buckets.length);
  });

  test.each(Object.entries<BucketSpec>(BUCKETS))(
    '%s clears unfinished uploads, old versions and what expires',
    (name, spec) => {
      const bucket = buckets.find(({ props }) => plain(props.BucketName).startsWith(`atrium-prod-${name}-`));
      expect(bucket?.props.LifecycleConfiguration.Rules).toEqual([
        { AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: 'Enabled' },
        { NoncurrentVersionExpiration: { NoncurrentDays: 30 }, Status: 'Enabled' },
        ...Object.entries(spec.expires ?? {}).map(([Prefix, ExpirationInDays]) => ({
          ExpirationInDays,
          Prefix,
          Status: 'Enabled',
        })),
      ]);
    },
  );

  test('browsers may only send to the bucket that takes presigned uploads', () => {
    const open = buckets.filter(({ props }) => props.CorsConfiguration).map(({ props }) => plain(props.BucketName));
    expect(open).toEqual([expect.stringMatching(/^atrium-prod-files-/)]);
  });
});

describe('secrets', () => {
  test('the settings secret starts with values nobody chose, long enough to be accepted', () => {
    const settings = ofType(resources, 'AWS::SecretsManager::Secret').find(
      ({ props }) => props.Name === 'atrium-prod-settings',
    );
    const { GenerateStringKey, PasswordLength, SecretStringTemplate } = settings?.props.GenerateSecretString ?? {};
    expect(GenerateStringKey).toBe('JWT_SECRET');
    expect(PasswordLength).toBeGreaterThanOrEqual(64);
    const template = JSON.parse(plain(SecretStringTemplate)) as Record<string, string>;
    expect(Object.keys(template)).toEqual(['ORIGIN_SECRET', 'ADMIN_SETUP_KEY']);
    for (const value of Object.values(template))
      expect(value).toMatch(/^\{\{resolve:secretsmanager:<\w+>:SecretString:::\}\}$/);
  });

  test('the sealing key rotates and stays when its stack goes', () => {
    const [key] = ofType(resources, 'AWS::KMS::Key');
    expect(key?.props.EnableKeyRotation).toBe(true);
    Template.fromStack(stacks.data).hasResource('AWS::KMS::Key', { DeletionPolicy: 'Retain' });
  });
});

test('the bus keeps every event for a month', () => {
  const [archive] = ofType(resources, 'AWS::Events::Archive');
  expect(archive?.props).toMatchObject({ RetentionDays: 30 });
});

describe('a disposable stage', () => {
  const disposable = build(REAL, { context: { stage: 'trial', disposable: 'true' } });

  test('leaves nothing behind and clashes with no other stage', () => {
    const template = Template.fromStack(disposable.stacks.data);
    const { Resources } = template.toJSON() as { Resources: Record<string, { Type: string; DeletionPolicy?: string }> };
    expect(Object.values(Resources).filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain')).toEqual([]);
    const names = ofType(resourcesOf(disposable.stacks), 'AWS::DynamoDB::GlobalTable').map(({ props }) => props);
    expect(
      names.every(
        ({ TableName, Replicas }) => TableName.startsWith('atrium-trial-') && !Replicas[0].DeletionProtectionEnabled,
      ),
    ).toBe(true);
  });
});

describe('a stage', () => {
  const stage = (context: Record<string, unknown>) => stageFrom(new App({ context }).node);
  const CERTIFICATE = 'arn:aws:acm:us-east-1:111122223333:certificate/one';

  test('an installation keeps its data unless somebody says it is disposable', () => {
    expect(stage({})).toMatchObject({ name: 'prod', removal: RemovalPolicy.RETAIN });
    expect(stage({ stage: 'trial', disposable: 'true' })).toMatchObject({
      name: 'trial',
      removal: RemovalPolicy.DESTROY,
    });
  });

  test('a domain comes with its certificate', () => {
    const domain = { name: 'atrium.example', certificate: CERTIFICATE };
    expect(stage({ domain: domain.name, certificate: CERTIFICATE }).domain).toEqual(domain);
  });

  test.each([
    [{ stage: 'My Stage' }, /must be 1 to 12 lower-case/],
    [{ stage: 'a'.repeat(13) }, /must be 1 to 12 lower-case/],
    [{ domain: 'atrium.example' }, /both domain and certificate/],
    [{ certificate: CERTIFICATE }, /both domain and certificate/],
    [{ domain: 'a.example', certificate: CERTIFICATE.replace('us-east-1', 'eu-west-1') }, /us-east-1/],
    [{ alarmMail: ['a@b.example'] }, /alarmMail must be text/],
  ])('%j is refused with a sentence', (context, message) => {
    expect(() => stage(context)).toThrow(message);
  });
});
