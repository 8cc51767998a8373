import { type App, Aws, Duration, Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { createDashboard } from './dashboard.ts';
import { type Description, functionsOf } from './functions.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { namesOf } from './names.ts';
import { deadLetterQueues } from './dead-letters.ts';
import { QUEUES } from './resources.ts';
import type { Stage } from './stage.ts';

interface Rule {
  readonly id: string;
  readonly metric: IMetric;
  /** The alarm rings above this value … */
  readonly above: number;
  /** … in this many five-minute periods one after the other. */
  readonly periods?: number;
  readonly meaning: string;
}

/** What must wake somebody, and one page to look at then. */
export class MonitoringStack extends Stack {
  constructor(app: App, stage: Stage, description: Description, httpApiId: string) {
    super(app, namesOf(stage).stack('monitoring'));
    const metrics = createMetrics(stage, httpApiId);
    const action = new SnsAction(this.createTopic(stage));
    for (const rule of [
      ...functionRules(metrics, description),
      ...queueRules(metrics, description),
      gatewayRule(metrics),
    ]) {
      const alarm = new Alarm(this, rule.id, {
        alarmName: namesOf(stage).stack(rule.id),
        alarmDescription: rule.meaning,
        metric: rule.metric,
        threshold: rule.above,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        evaluationPeriods: rule.periods ?? 1,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
    createDashboard(this, stage, { metrics, description });
  }

  private createTopic({ alarmMail, ...stage }: Stage) {
    const topic = new Topic(this, 'alarms', { topicName: namesOf(stage).stack('alarms'), enforceSSL: true });
    // Demanding TLS replaces the default policy, which would have let the alarms in.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    if (alarmMail) topic.addSubscription(new EmailSubscription(alarmMail));
    return topic;
  }
}

const functionRules = (metrics: Metrics, description: Description): readonly Rule[] =>
  functionsOf(description).flatMap(({ name, kind }) => [
    { id: `${name}-errors`, metric: metrics.errors(name), above: 0, meaning: `${name} failed: see its log group` },
    { id: `${name}-throttles`, metric: metrics.throttles(name), above: 0, meaning: `${name} was refused concurrency` },
    ...(kind === 'stream'
      ? [{ id: `${name}-5xx`, metric: metrics.streamFailures(name), above: 5, meaning: `${name} answered with 5xx` }]
      : []),
  ]);

const queueRules = (metrics: Metrics, description: Description): readonly Rule[] => [
  ...Object.entries(QUEUES).map(([name, { visibility }]) => ({
    id: `${name}-age`,
    metric: metrics.oldestMessage(name),
    above: Math.max(Duration.minutes(10).toSeconds(), 2 * visibility),
    periods: 2,
    meaning: `Messages wait too long in ${name}: its consumer is slow or stopped`,
  })),
  ...deadLetterQueues(description).map((name) => ({
    id: name,
    metric: metrics.waiting(name),
    above: 0,
    meaning: `${name} holds letters that could not be delivered: find out why, then replay them`,
  })),
];

const gatewayRule = (metrics: Metrics): Rule => ({
  id: 'http-5xx',
  metric: metrics.gatewayFailures,
  above: 5,
  meaning: 'The HTTP API answered with 5xx',
});
