import { describe, expect, test } from 'vitest';
import { streamBehaviours } from '../../infra/behaviours.ts';
import { call } from '../support/call.ts';
import { verifies } from '../support/verifies.ts';
import { distributionOf, functionBehind, requestsOf, throughGateway } from './support/gateways.ts';
import { SAMPLE } from './support/sample.ts';
import { build, ofType, plain, REAL, resourcesOf } from './support/synth.ts';

const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
const ALL_VIEWER_EXCEPT_HOST = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

const real = resourcesOf(build(REAL).stacks);
const sample = resourcesOf(build(SAMPLE).stacks);

describe.each([
  ['the platform', REAL, real],
  ['a description with everything', SAMPLE, sample],
] as const)('%s', (_, description, resources) => {
  const distribution = distributionOf(resources);

  test('leads every buffered route to its own family', () => {
    const lost = requestsOf(description, 'http')
      .map(({ family, path }) => ({ path, to: throughGateway(resources, path), wanted: `atrium-prod-${family}` }))
      .filter(({ to, wanted }) => to !== wanted);
    expect(lost).toEqual([]);
  });

  test('claims every path at the gateway once', () => {
    const keys = ofType(resources, 'AWS::ApiGatewayV2::Route', 'http').map(({ props }) => props.RouteKey);
    expect(new Set(keys).size).toBe(keys.length);
    const prefixes = Object.values(description.families).flatMap((family) => family.prefixes);
    expect(new Set(prefixes).size).toBe(prefixes.length);
  });

  test('leads every streaming route through exactly one behaviour to its own function', () => {
    const lost = requestsOf(description, 'stream')
      .map(({ family, path }) => ({
        path,
        to: distribution.matching(path).map((behaviour) => plain(distribution.originOf(behaviour).DomainName)),
        wanted: [`<atrium-prod-stream.${family}streamHost>`],
      }))
      .filter(({ to, wanted }) => String(to) !== String(wanted));
    expect(lost).toEqual([]);
  });

  test('lets no behaviour swallow a buffered route', () => {
    const swallowed = requestsOf(description, 'http').filter(({ path }) => distribution.matching(path).length > 0);
    expect(swallowed).toEqual([]);
  });

  test('stays within the limits of its gateways and stacks', () => {
    expect(ofType(resources, 'AWS::ApiGatewayV2::Route', 'http').length).toBeLessThanOrEqual(300);
    expect(distribution.CacheBehaviors.length).toBeLessThanOrEqual(25);
    const perStack = Object.values(Object.groupBy(resources, ({ stack }) => stack)).map((some) => some?.length ?? 0);
    expect(Math.max(...perStack)).toBeLessThanOrEqual(500);
  });

  test('answers a path that nobody claims from a function, in the documented shape', () => {
    const [fallback] = Object.entries(description.families).find(([, family]) => family.fallback) ?? [];
    expect(throughGateway(resources, '/nobody/claims/this')).toBe(`atrium-prod-${fallback}`);
  });
});

describe('the distribution', () => {
  const { CacheBehaviors, DefaultCacheBehavior, Origins, originOf, matching } = distributionOf(sample);

  test('passes every request on whole, and nothing back but at once', () => {
    for (const behaviour of [
      DefaultCacheBehavior,
      ...CacheBehaviors.filter(({ PathPattern }) => PathPattern !== '/static/*'),
    ]) {
      expect(behaviour).toMatchObject({
        CachePolicyId: CACHING_DISABLED,
        OriginRequestPolicyId: ALL_VIEWER_EXCEPT_HOST,
        Compress: false,
      });
    }
  });

  test('shows the streaming functions the secret only it knows, and waits two minutes between two pieces', () => {
    const streaming = Origins.filter(({ DomainName }) => plain(DomainName).includes('prod-stream'));
    expect(streaming).toHaveLength(2);
    for (const { OriginCustomHeaders, CustomOriginConfig } of streaming) {
      expect(OriginCustomHeaders).toEqual([
        {
          HeaderName: 'x-origin-secret',
          HeaderValue: '{{resolve:secretsmanager:atrium-prod-settings:SecretString:ORIGIN_SECRET::}}',
        },
      ]);
      expect(CustomOriginConfig).toMatchObject({ OriginReadTimeout: 120, OriginProtocolPolicy: 'https-only' });
    }
  });

  test('leads sockets to the WebSocket API', () => {
    for (const path of ['/ws', '/ws/socket.io/']) {
      const [sockets] = matching(path);
      expect(plain(originOf(sockets!).DomainName)).toContain('<atrium-prod-realtime.ApiId>.execute-api.');
    }
  });

  test('is the only way to the streaming functions that answers, so their addresses may be open', () => {
    const urls = ofType(sample, 'AWS::Lambda::Url').map(({ props }) => props);
    expect(urls).toHaveLength(2);
    for (const url of urls) expect(url).toMatchObject({ AuthType: 'NONE', InvokeMode: 'RESPONSE_STREAM' });
  });

  verifies(
    'proxy/no-cache',
    'never caches the login, callback and socket paths, and the service forbids it',
    async () => {
      const paths = ['/api', '/oauth', '/callback', '/login', '/ws', '/websocket'].flatMap((p) => [
        p,
        `${p}/a`,
        `${p}/a/b`,
      ]);
      const policies = paths.map((path) => (matching(path)[0] ?? DefaultCacheBehavior).CachePolicyId);
      expect(new Set(policies)).toEqual(new Set([CACHING_DISABLED]));
      const answers = await Promise.all(paths.map((path) => call(`GET ${path}`)));
      expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(paths.map(() => 'no-store'));
    },
  );

  test('has its own name and protocol once a domain is given, and then tells it to the functions directly', () => {
    const certificate = 'arn:aws:acm:us-east-1:111122223333:certificate/one';
    const resources = resourcesOf(build(SAMPLE, { context: { domain: 'atrium.example', certificate } }).stacks);
    expect(ofType(resources, 'AWS::CloudFront::Distribution')[0]?.props.DistributionConfig).toMatchObject({
      Aliases: ['atrium.example'],
      ViewerCertificate: { AcmCertificateArn: certificate, MinimumProtocolVersion: 'TLSv1.2_2021' },
    });
    for (const { props } of ofType(resources, 'AWS::Lambda::Function')) {
      expect(props.Environment.Variables).toMatchObject({ SVC_URL: 'https://atrium.example' });
    }
  });
});

test('all three socket routes lead to the one job that serves them', () => {
  const routes = ofType(sample, 'AWS::ApiGatewayV2::Route', 'realtime');
  expect(routes.map(({ props }) => props.RouteKey)).toEqual(['$connect', '$disconnect', '$default']);
  expect(new Set(routes.map((route) => functionBehind(sample, route)))).toEqual(new Set(['atrium-prod-sockets']));
});

describe('patterns of the distribution', () => {
  test('are the streaming paths with wildcards, the most specific first', () => {
    expect(streamBehaviours(SAMPLE).map(({ pattern }) => pattern)).toEqual([
      '/api/papers/*/progress*',
      '/api/talk*',
      '/relay/*',
    ]);
  });
});
