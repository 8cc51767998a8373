import { Dashboard, GraphWidget, type Metric } from 'aws-cdk-lib/aws-cloudwatch';
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
        graph('Invocations', each(functions, metrics.invocations)),
        graph('Errors', each(functions, metrics.errors)),
        graph('Duration p99', each(functions, metrics.duration)),
      ],
      [
        graph('Throttles', each(functions, metrics.throttles)),
        graph('Oldest message', each(Object.keys(QUEUES), metrics.oldestMessage)),
        graph('Dead letters', each(deadLetterQueues(description), metrics.waiting)),
      ],
    ],
  });
}

const each = (names: readonly string[], metric: (name: string) => Metric) =>
  names.map((label) => metric(label).with({ label }));

const graph = (title: string, left: Metric[]) => new GraphWidget({ title, left, width: 8, height: 6 });
