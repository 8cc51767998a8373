import { Duration } from 'aws-cdk-lib';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  HttpMethods,
  type LifecycleRule,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { namesOf } from './names.ts';
import { BUCKETS, type BucketSpec } from './resources.ts';
import type { Stage } from './stage.ts';

/** Every bucket of the description; who reads what is written to one bucket of access logs. */
export function createBuckets(scope: Construct, stage: Stage) {
  const logs = new Bucket(scope, 'access-logs-bucket', {
    ...closed(stage),
    lifecycleRules: [ABANDONED_UPLOADS, { expiration: Duration.days(90) }],
  });
  for (const [name, spec] of Object.entries<BucketSpec>(BUCKETS)) {
    new Bucket(scope, `${name}-bucket`, {
      ...closed(stage),
      bucketName: namesOf(stage).bucket(name),
      versioned: true,
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: `${name}/`,
      lifecycleRules: [ABANDONED_UPLOADS, OLD_VERSIONS, ...expiring(spec)],
      cors: spec.presigned ? [PRESIGNED] : undefined,
    });
  }
}

/** What every bucket has in common: nobody from outside, nothing in clear text. */
export const closed = (stage: Stage): BucketProps => ({
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
  removalPolicy: stage.removal,
});

const ABANDONED_UPLOADS: LifecycleRule = { abortIncompleteMultipartUploadAfter: Duration.days(1) };

const OLD_VERSIONS: LifecycleRule = { noncurrentVersionExpiration: Duration.days(30) };

const expiring = ({ expires = {} }: BucketSpec): LifecycleRule[] =>
  Object.entries(expires).map(([prefix, days]) => ({ prefix, expiration: Duration.days(days) }));

/** The signature in the address is the permission, whatever page it is used from. */
const PRESIGNED = {
  allowedOrigins: ['*'],
  allowedMethods: [HttpMethods.GET, HttpMethods.PUT, HttpMethods.POST],
  allowedHeaders: ['*'],
  exposedHeaders: ['etag'],
  maxAge: 3600,
};
