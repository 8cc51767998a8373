import { Dashboard, GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { deadLetterQueues } from './dead-letters.ts';
import { type Description, functionsOf } from './functions.ts';
import type { Metrics } from './metrics.ts';
import { namesOf } from './names.ts';
import { QUEUES } from './resources.ts';
import type { Stage } from './stage.ts';

interface Subject {
  readonly metrics: Metrics;
  readonly description: Description;
}

/** One page: the front door first, then the functions, then what waits. */
export function createDashboard(scope: Construct, stage: Stage, { metrics, description }: Subject) {
  const functions = functionsOf(description).map(({ name }) => name);
  new Dashboard(scope, 'dashboard', {
    dashboardName: namesOf(stage).stack('overview'),
    widgets: [
      [
        graph('Requests', [metrics.requests]),
        graph('Refused and failed', [metrics.gatewayRefusals, metrics.gatewayFailures]),
        graph('Latency p99', [metrics.latency]),
      ],
      [
        graph('Invocations', functions.map(metrics.invocations)),
        graph('Errors', functions.map(metrics.errors)),
        graph('Duration p99', functions.map(metrics.duration)),
      ],
      [
        graph('Throttles', functions.map(metrics.throttles)),
        graph('Oldest message', Object.keys(QUEUES).map(metrics.oldestMessage)),
        graph('Dead letters', deadLetterQueues(description).map(metrics.waiting)),
      ],
    ],
  });
}

const graph = (title: string, left: IMetric[]) => new GraphWidget({ title, left, width: 8, height: 6 });
