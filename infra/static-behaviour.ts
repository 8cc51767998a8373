import { type BehaviorOptions, CachePolicy, ViewerProtocolPolicy } from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { closed } from './buckets.ts';
import type { Stage } from './stage.ts';

/** Public files such as logos and pages: the only thing the edge may keep. */
export const STATIC = '/static/*';

export function staticBehaviour(scope: Construct, stage: Stage): BehaviorOptions {
  const bucket = new Bucket(scope, 'static-bucket', closed(stage));
  acknowledge(bucket, 'S1', 'Holds public files, read by the distribution alone.');
  new CfnOutput(scope, 'StaticBucket', { value: bucket.bucketName });
  return {
    origin: S3BucketOrigin.withOriginAccessControl(bucket),
    cachePolicy: CachePolicy.CACHING_OPTIMIZED,
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
  };
}
