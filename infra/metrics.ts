import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { namesOf } from './names.ts';
import type { Stage } from './stage.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Metrics by the names of things, so that watching them ties no stack to another. */
export function createMetrics(stage: Stage, httpApiId: string) {
  const names = namesOf(stage);
  const ofFunction = (metricName: string, statistic: string) => (name: string) =>
    metric('AWS/Lambda', metricName, statistic, { FunctionName: names.function(name) });
  const ofQueue = (metricName: string) => (name: string) =>
    metric('AWS/SQS', metricName, Stats.MAXIMUM, { QueueName: names.queue(name) });
  const ofGateway = (metricName: string, statistic: string) =>
    metric('AWS/ApiGateway', metricName, statistic, { ApiId: httpApiId });
  return {
    invocations: ofFunction('Invocations', Stats.SUM),
    errors: ofFunction('Errors', Stats.SUM),
    throttles: ofFunction('Throttles', Stats.SUM),
    duration: ofFunction('Duration', Stats.p(99)),
    streamFailures: ofFunction('Url5xxCount', Stats.SUM),
    oldestMessage: ofQueue('ApproximateAgeOfOldestMessage'),
    waiting: ofQueue('ApproximateNumberOfMessagesVisible'),
    requests: ofGateway('Count', Stats.SUM),
    latency: ofGateway('Latency', Stats.p(99)),
    gatewayRefusals: ofGateway('4xx', Stats.SUM),
    gatewayFailures: ofGateway('5xx', Stats.SUM),
  };
}

const metric = (namespace: string, metricName: string, statistic: string, dimensionsMap: Record<string, string>) =>
  new Metric({ namespace, metricName, statistic, dimensionsMap, period: Duration.minutes(5) });
