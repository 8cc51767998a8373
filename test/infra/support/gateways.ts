import { matches } from '../../../infra/behaviours.ts';
import type { Description } from '../../../infra/functions.ts';
import { ofType, plain, type Resource } from './synth.ts';

/** Follows a request through the templates the way API Gateway and CloudFront would. */

/** The function behind the HTTP API for this path: the exact route, then the most specific greedy one, then `$default`. */
export function throughGateway(resources: readonly Resource[], path: string): string | undefined {
  const keys = ofType(resources, 'AWS::ApiGatewayV2::Route', 'http').map((route) => ({
    route,
    path: String(route.props.RouteKey).split(' ')[1] ?? '*',
  }));
  const fitting = keys.filter((key) => fits(key.path, path)).toSorted((a, b) => (rank(a.path) < rank(b.path) ? -1 : 1));
  return fitting[0] && functionBehind(resources, fitting[0].route);
}

/** A greedy route also takes its prefix with nothing but a slash after it; a route key that ends in one is refused. */
const fits = (key: string, path: string) =>
  key === '*' || new RegExp(`^${key.replace('{proxy+}', '.*').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);

/** Sorts exact routes before greedy ones, and within each a literal segment before a placeholder before the rest. */
const rank = (key: string) =>
  `${key.endsWith('{proxy+}') || key === '*' ? 1 : 0}${key
    .split('/')
    .map((segment) => (segment === '{proxy+}' || segment === '*' ? 2 : segment.startsWith('{') ? 1 : 0))
    .join('')}`;

export function functionBehind(resources: readonly Resource[], route: Resource) {
  const here = resources.filter(({ stack }) => stack === route.stack);
  const integration = here.find(({ id }) => plain(route.props.Target) === `integrations/<${id}>`);
  const target = here.find(({ id }) => plain(integration?.props.IntegrationUri).includes(`<${id}.Arn>`));
  return target?.props.FunctionName as string | undefined;
}

export interface Behaviour {
  readonly PathPattern: string;
  readonly CachePolicyId: string;
  readonly OriginRequestPolicyId?: string;
  readonly Compress: boolean;
  readonly TargetOriginId: string;
  readonly AllowedMethods?: readonly string[];
}

interface Origin {
  readonly Id: string;
  readonly DomainName: unknown;
  readonly OriginCustomHeaders?: readonly { readonly HeaderName: string; readonly HeaderValue: string }[];
  readonly CustomOriginConfig?: Readonly<Record<string, unknown>>;
}

export function distributionOf(resources: readonly Resource[]) {
  const config = ofType(resources, 'AWS::CloudFront::Distribution')[0]?.props.DistributionConfig as {
    readonly CacheBehaviors: readonly Behaviour[];
    readonly DefaultCacheBehavior: Behaviour;
    readonly Origins: readonly Origin[];
  };
  return {
    ...config,
    matching: (path: string) => config.CacheBehaviors.filter(({ PathPattern }) => matches(PathPattern, path)),
    originOf: (behaviour: Behaviour) => config.Origins.find(({ Id }) => Id === behaviour.TargetOriginId)!,
  };
}

/** The contract's routes as requests: placeholders filled in, with and without a slash at the end. */
export const requestsOf = ({ families }: Description, transport: 'http' | 'stream') =>
  Object.entries(families).flatMap(([family, { routes }]) =>
    Object.values(routes)
      .filter((route) => (route.transport ?? 'http') === transport)
      .map((route) =>
        route.path
          .replaceAll(/\{\w+\+\}/g, 'a1/b2')
          .replaceAll(/\{\w+\}/g, 'a1')
          .replace(/\/$/, ''),
      )
      .flatMap((path) => (path === '' ? ['/'] : [path, `${path}/`]))
      .map((path) => ({ family, path })),
  );
