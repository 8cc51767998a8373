import { type App, Stack } from 'aws-cdk-lib';
import { LogGroupLogDestination, WebSocketApi, WebSocketStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { WebSocketLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { acknowledge } from './acknowledge.ts';
import { PlatformFunction, type Site } from './platform-function.ts';
import { type Description, jobFunctions } from './functions.ts';
import { SOCKET_STAGE } from './grants.ts';
import { createAccessLog } from './http.ts';
import { handOver, namesOf } from './names.ts';
import type { Stage } from './stage.ts';

/** The WebSocket API. All three of its routes go to the one job that serves sockets. */
export class RealtimeStack extends Stack {
  readonly apiId: string;

  constructor(app: App, description: Description, site: Site) {
    super(app, namesOf(site.stage).stack('realtime'));
    const api = new WebSocketApi(this, 'api', { apiName: namesOf(site.stage).stack('realtime') });
    const [spec, ...others] = socketJobs(description);
    if (!spec || others.length > 0)
      throw new Error('The WebSocket API needs exactly one job with sockets as its source');
    const { function: target } = new PlatformFunction(this, spec, { ...site, socketApiId: api.apiId });
    for (const route of ['$connect', '$disconnect', '$default']) {
      api.addRoute(route, { integration: new WebSocketLambdaIntegration(`${route.slice(1)}-integration`, target) });
    }
    this.createStage(api, site.stage);
    acknowledge(
      api,
      'APIG4',
      'The handler verifies the token of the connection itself; an authorizer is a cold start more.',
    );
    this.apiId = handOver(this, 'ApiId', api.apiId);
  }

  private createStage(api: WebSocketApi, stage: Stage) {
    const logs = createAccessLog(this, namesOf(stage).accessLog('realtime'), stage);
    new WebSocketStage(this, 'stage', {
      webSocketApi: api,
      stageName: SOCKET_STAGE,
      autoDeploy: true,
      detailedMetricsEnabled: true,
      throttle: { rateLimit: 500, burstLimit: 1000 },
      accessLogSettings: { destination: new LogGroupLogDestination(logs) },
    });
  }
}

export const socketJobs = (description: Description) =>
  jobFunctions(description).filter(({ source }) => 'sockets' in source);
