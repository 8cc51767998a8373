import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { functionBehind } from './support/gateways.ts';
import { SAMPLE } from './support/sample.ts';
import { build, ofType, plain, resourcesOf } from './support/synth.ts';

/** What `sam local start-api` needs to find in the template of the http stack. */
const { app, stacks, outdir } = build(SAMPLE);
const assembly = app.synth();
const http = resourcesOf(stacks).filter(({ stack }) => stack === 'http');
const functions = ofType(http, 'AWS::Lambda::Function');

describe('sam local start-api', () => {
  test('finds a template of its own, with no WebSocket route to stumble over', () => {
    expect(existsSync(path.join(outdir, assembly.getStackByName('atrium-prod-http').templateFile))).toBe(true);
    expect(ofType(http, 'AWS::ApiGatewayV2::Api').map(({ props }) => props.ProtocolType)).toEqual(['HTTP']);
  });

  test('understands every route key', () => {
    for (const { props } of ofType(http, 'AWS::ApiGatewayV2::Route')) {
      expect(props.RouteKey).toMatch(/^(\$default|(ANY|GET|POST|PUT|PATCH|DELETE) \/\S+)$/);
    }
  });

  test('can follow every route to a function of the same template, by its ARN and not by an alias', () => {
    const routes = ofType(http, 'AWS::ApiGatewayV2::Route');
    expect(routes.map((route) => functionBehind(http, route)).filter((name) => name === undefined)).toEqual([]);
    for (const { props } of ofType(http, 'AWS::ApiGatewayV2::Integration')) {
      expect(props).toMatchObject({ IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' });
      expect(props.IntegrationUri).toEqual({ 'Fn::GetAtt': [expect.any(String), 'Arn'] });
    }
  });

  test('finds the code of every function beside the template', () => {
    for (const { metadata } of functions) {
      expect(metadata).toMatchObject({ 'aws:asset:property': 'Code', 'aws:cdk:path': expect.any(String) });
      expect(existsSync(path.join(outdir, String(metadata['aws:asset:path']), 'index.mjs'))).toBe(true);
    }
  });

  test('can read the names of all tables, because they are literal', () => {
    const tables = functions.flatMap(({ props }) =>
      Object.entries<unknown>(props.Environment.Variables).filter(([name]) => name.startsWith('TABLE_')),
    );
    expect(tables.map(([, value]) => value)).toEqual(tables.map(([, value]) => plain(value)));
    expect(tables.length).toBeGreaterThan(0);
  });
});
