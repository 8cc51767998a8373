import { Aws, Duration, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { App } from 'aws-cdk-lib';
import { createBuckets } from './buckets.ts';
import { handOver, namesOf } from './names.ts';
import { createSettingsSecret } from './secrets.ts';
import { keepsData, type Stage } from './stage.ts';
import { createTables } from './tables.ts';

/** Everything with a memory. Compute comes and goes around it. */
export class DataStack extends Stack {
  readonly sealKeyArn: string;
  /** The change stream of each table that has one. */
  readonly streamArns: ReadonlyMap<string, string>;

  constructor(app: App, stage: Stage) {
    super(app, namesOf(stage).stack('data'), { terminationProtection: keepsData(stage) });
    this.streamArns = this.createStreams(stage);
    createBuckets(this, stage);
    createSettingsSecret(this, stage);
    this.createBus(stage);
    this.sealKeyArn = this.createSealKey(stage);
  }

  private createStreams(stage: Stage) {
    const streams = [...createTables(this, stage)].map(
      ([name, streamArn]) => [name, handOver(this, `${pascal(name)}Stream`, streamArn)] as const,
    );
    return new Map(streams);
  }

  private createBus(stage: Stage) {
    const { bus: eventBusName } = namesOf(stage);
    const bus = new EventBus(this, 'bus', { eventBusName });
    bus.archive('archive', {
      archiveName: eventBusName,
      description: 'Every event of the last month, for replay after a mistake in a consumer',
      eventPattern: { account: [Aws.ACCOUNT_ID] },
      retention: Duration.days(30),
    });
  }

  /** Seals secrets at rest: the key never leaves KMS, the functions see data keys only. */
  private createSealKey(stage: Stage) {
    const key = new Key(this, 'seal-key', {
      alias: namesOf(stage).sealAlias,
      description: 'Seals secrets that people entrust to the platform',
      enableKeyRotation: true,
      removalPolicy: stage.removal,
    });
    return handOver(this, 'SealKeyArn', key.keyArn);
  }
}

/** Outputs are named by letters and digits only. */
const pascal = (name: string) => name.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
