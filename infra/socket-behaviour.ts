import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  OriginRequestPolicy,
  OriginSslPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { Construct } from 'constructs';
import { SOCKET_STAGE } from './grants.ts';

/** Plain clients connect to `/ws`, Socket.IO clients below it; the WebSocket API answers at its stage's path only. */
export const SOCKETS = '/ws*';

export const socketBehaviour = (scope: Construct, host: string): BehaviorOptions => ({
  origin: new HttpOrigin(host, { originSslProtocols: [OriginSslPolicy.TLS_V1_2] }),
  cachePolicy: CachePolicy.CACHING_DISABLED,
  originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
  allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
  viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
  compress: false,
  functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: rewrite(scope) }],
});

const rewrite = (scope: Construct) =>
  new EdgeFunction(scope, 'socket-path', {
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(
      `function handler(event) { event.request.uri = '/${SOCKET_STAGE}'; return event.request; }`,
    ),
  });
