import { type App, Aws, CfnOutput, Duration, SecretValue, Stack } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  type DistributionProps,
  HttpVersion,
  OriginRequestPolicy,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { acknowledge } from './acknowledge.ts';
import { streamBehaviours } from './behaviours.ts';
import type { Description } from './functions.ts';
import { namesOf } from './names.ts';
import { socketBehaviour, SOCKETS } from './socket-behaviour.ts';
import type { Stage } from './stage.ts';
import { staticBehaviour, STATIC } from './static-behaviour.ts';

export interface Origins {
  readonly httpApiId: string;
  readonly streamHosts: ReadonlyMap<string, string>;
  readonly socketApiId?: string;
}

/** One address for everything: buffered, streaming, sockets and static files. */
export class EdgeStack extends Stack {
  constructor(app: App, stage: Stage, description: Description, origins: Origins) {
    super(app, namesOf(stage).stack('edge'));
    const distribution = new Distribution(this, 'distribution', {
      comment: namesOf(stage).stack('edge'),
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: uncached(this.privateOrigin(stage, apiHost(origins.httpApiId), Duration.seconds(35))),
      additionalBehaviors: {
        [STATIC]: staticBehaviour(this, stage),
        ...(origins.socketApiId ? { [SOCKETS]: socketBehaviour(this, apiHost(origins.socketApiId)) } : {}),
        ...this.streams(stage, description, origins),
      },
      webAclId: stage.webAcl,
      ...this.domainProps(stage),
    });
    acknowledgeEdge(distribution, stage);
    this.tellAddress(distribution, stage);
  }

  private streams(stage: Stage, description: Description, { streamHosts }: Origins) {
    const byFunction = new Map(
      [...streamHosts].map(([name, host]) => [name, uncached(this.privateOrigin(stage, host, Duration.seconds(120)))]),
    );
    const entries = streamBehaviours(description).map(({ pattern, functionName }) => {
      const behaviour = byFunction.get(functionName);
      if (!behaviour) throw new Error(`${pattern} leads to ${functionName}, which is not deployed`);
      return [pattern, behaviour] as const;
    });
    return Object.fromEntries(entries);
  }

  /** Carries the secret that proves a request came through here. The read timeout also bounds gaps within a stream. */
  private privateOrigin(stage: Stage, host: string, readTimeout: Duration) {
    const secret = SecretValue.secretsManager(namesOf(stage).settings, { jsonField: 'ORIGIN_SECRET' });
    return new HttpOrigin(host, {
      readTimeout,
      keepaliveTimeout: Duration.seconds(60),
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      customHeaders: { 'x-origin-secret': secret.unsafeUnwrap() },
    });
  }

  private domainProps({ domain }: Stage): Partial<DistributionProps> {
    if (!domain) return {};
    return {
      domainNames: [domain.name],
      certificate: Certificate.fromCertificateArn(this, 'certificate', domain.certificate),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    };
  }

  /** Without a domain the address is only known now, after the functions exist: they look it up when they start. */
  private tellAddress(distribution: Distribution, stage: Stage) {
    const { distributionDomainName } = distribution;
    const address = `https://${stage.domain?.name ?? distributionDomainName}`;
    new CfnOutput(this, 'Address', { value: address });
    new CfnOutput(this, 'DistributionDomain', { value: distributionDomainName });
    if (stage.domain) return;
    new StringParameter(this, 'address', { parameterName: namesOf(stage).addressParameter, stringValue: address });
  }
}

const apiHost = (apiId: string) => `${apiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`;

/** Origins refuse a foreign Host header. Compressing would hold back the pieces of a stream. */
const uncached = (origin: HttpOrigin): BehaviorOptions => ({
  origin,
  cachePolicy: CachePolicy.CACHING_DISABLED,
  originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
  allowedMethods: AllowedMethods.ALLOW_ALL,
  viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
  compress: false,
});

function acknowledgeEdge(distribution: Distribution, stage: Stage) {
  acknowledge(distribution, 'CFR1', 'People sign documents from wherever they are; no country is shut out.');
  acknowledge(
    distribution,
    'CFR3',
    'Its logs hold full paths, and one-time links carry their token there; every function logs its routes instead.',
  );
  if (!stage.webAcl) {
    acknowledge(
      distribution,
      'CFR2',
      'A firewall costs a monthly fee; installations that want one give its ARN as webAcl.',
    );
  }
  if (!stage.domain) {
    acknowledge(
      distribution,
      'CFR4',
      'Without a domain CloudFront uses its own certificate, whose protocols are fixed.',
    );
  }
}
