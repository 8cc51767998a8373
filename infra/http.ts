import { type App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { PlatformFunction, type Site } from './platform-function.ts';
import { type Description, httpFunctions } from './functions.ts';
import { handOver, namesOf } from './names.ts';
import type { FamilySpec } from './resources.ts';
import type { Stage } from './stage.ts';

/**
 * Buffered families behind one HTTP API. `sam local start-api` reads this template, so it holds nothing else:
 * a WebSocket route in it would stop SAM from starting.
 */
export class HttpStack extends Stack {
  readonly apiId: string;

  constructor(app: App, description: Description, site: Site) {
    super(app, namesOf(site.stage).stack('http'));
    const api = this.createApi(site.stage);
    for (const spec of httpFunctions(description)) {
      const { function: target } = new PlatformFunction(this, spec, site);
      const family = description.families[spec.name];
      if (family) addFamily(api, { name: spec.name, family, target });
    }
    this.apiId = handOver(this, 'ApiId', api.apiId);
  }

  private createApi(stage: Stage) {
    const names = namesOf(stage);
    const api = new HttpApi(this, 'api', { apiName: names.stack('http'), createDefaultStage: false });
    new HttpStage(this, 'stage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      detailedMetricsEnabled: true,
      throttle: { rateLimit: 1000, burstLimit: 2000 },
      accessLogSettings: {
        destination: new LogGroupLogDestination(createAccessLog(this, names.accessLog('http'), stage)),
        format: ACCESS_LOG,
      },
    });
    acknowledge(
      api,
      'APIG4',
      'Each route names who may call it and the shared kernel enforces that for tokens, API keys and event keys alike; an authorizer would be a second cold start and would not cover the streaming functions.',
    );
    return api;
  }
}

/** The route, never the path: one-time links carry their token in it. */
const ACCESS_LOG = AccessLogFormat.custom(
  JSON.stringify({
    time: '$context.requestTime',
    requestId: '$context.requestId',
    ip: '$context.identity.sourceIp',
    route: '$context.routeKey',
    status: '$context.status',
    bytes: '$context.responseLength',
    ms: '$context.responseLatency',
    error: '$context.integrationErrorMessage',
  }),
);

export const createAccessLog = (scope: Construct, logGroupName: string, stage: Stage) =>
  new LogGroup(scope, 'access-log', {
    logGroupName,
    retention: stage.logRetention,
    removalPolicy: RemovalPolicy.DESTROY,
  });

interface FamilyTarget {
  readonly name: string;
  readonly family: FamilySpec;
  readonly target: IFunction;
}

/** The gateway only knows prefixes: 300 routes are its limit, and the exact match is the router's work. */
function addFamily(api: HttpApi, { name, family, target }: FamilyTarget) {
  const integration = new HttpLambdaIntegration(`${name}-integration`, target, { scopePermissionToRoute: false });
  for (const path of family.prefixes.flatMap(gatewayPaths)) {
    api.addRoutes({ path, methods: [HttpMethod.ANY], integration });
  }
  if (!family.fallback) return;
  new HttpRoute(api, 'fallback', {
    httpApi: api,
    routeKey: HttpRouteKey.DEFAULT,
    integration: new HttpLambdaIntegration(`${name}-fallback`, target),
  });
}

/** Below the root there is everything; it stands for itself alone. */
export const gatewayPaths = (prefix: string) => (prefix === '/' ? [prefix] : [prefix, `${prefix}/{proxy+}`]);
