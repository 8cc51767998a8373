import { describe, expect, test } from 'vitest';
import { functionsOf } from '../../infra/functions.ts';
import { TABLES } from '../../infra/resources.ts';
import { SAMPLE } from './support/sample.ts';
import { build, ofType, plain, REAL, type Resource, resourcesOf, statementsOf } from './support/synth.ts';

const resources = resourcesOf(build(SAMPLE).stacks);
const functions = ofType(resources, 'AWS::Lambda::Function');
const ARN = 'arn:<AWS::Partition>';
const HERE = '<AWS::Region>:<AWS::AccountId>';

const named = (name: string) => functions.find(({ props }) => props.FunctionName === `atrium-prod-${name}`) as Resource;
const roleOf = (name: string) =>
  resources.find(
    ({ id, stack }) => stack === named(name).stack && id === named(name).props.Role['Fn::GetAtt'][0],
  ) as Resource;
const mayDo = (name: string, service: string) =>
  statementsOf(roleOf(name)).filter(({ actions }) => actions.every((action) => action.startsWith(`${service}:`)));

describe('every function', () => {
  test('is deployed once, under its own name', () => {
    const names = functions.map(({ props }) => String(props.FunctionName));
    expect(names.toSorted()).toEqual(
      functionsOf(SAMPLE)
        .map(({ name }) => `atrium-prod-${name}`)
        .toSorted(),
    );
  });

  test.each(functions.map((one) => [one.props.FunctionName, one.props]))(
    '%s runs on Node 24, arm64, with JSON logs',
    (_, props) => {
      expect(props).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        LoggingConfig: { LogFormat: 'JSON' },
      });
    },
  );

  test('has a log group of its own that forgets, and a role of its own', () => {
    const groups = functions.map(({ stack, props }) => `${stack} ${props.LoggingConfig.LogGroup.Ref}`);
    const roles = functions.map(({ stack, props }) => `${stack} ${props.Role['Fn::GetAtt'][0]}`);
    expect(new Set(groups).size).toBe(functions.length);
    expect(new Set(roles).size).toBe(functions.length);
    const retained = ofType(resources, 'AWS::Logs::LogGroup').map(({ props }) => props.RetentionInDays);
    expect(retained.every((days) => days > 0)).toBe(true);
  });

  test('stops before the gateway gives up when buffered, and may stream for as long as described', () => {
    expect(named('pages').props.Timeout).toBe(29);
    expect(named('papers').props).toMatchObject({ Timeout: 29, MemorySize: 1769 });
    expect(named('papers-stream').props.Timeout).toBe(300);
    expect(named('talk-stream').props.Timeout).toBe(900);
    expect(named('relay').props).toMatchObject({ Timeout: 30, MemorySize: 256 });
  });
});

describe('rights', () => {
  const policies = ['AWS::IAM::Role', 'AWS::IAM::Policy'].flatMap((type) => ofType(resources, type));

  test('no policy allows a wildcard action, and none is managed by somebody else', () => {
    const wild = policies.flatMap((policy) =>
      statementsOf(policy).filter(({ Effect, actions }) => Effect === 'Allow' && actions.some((a) => a.includes('*'))),
    );
    expect(wild).toEqual([]);
    expect(policies.filter(({ props }) => props.ManagedPolicyArns)).toEqual([]);
  });

  test('no policy reaches every resource of a service', () => {
    const everywhere = policies.flatMap((policy) => statementsOf(policy).filter(({ resources: r }) => r.includes('*')));
    expect(everywhere).toEqual([]);
  });

  test('read, insert and write open exactly their own actions on their own table', () => {
    const table = (name: string) => `${ARN}:dynamodb:${HERE}:table/atrium-prod-${name}`;
    const granted = mayDo('pages', 'dynamodb').flatMap(({ actions, resources: on }) =>
      on.flatMap((resource) => actions.map((action) => `${resource} ${action.slice('dynamodb:'.length)}`)),
    );
    const expected = [
      ...[table('accounts'), `${table('accounts')}/index/gsi1`, table('chats'), `${table('chats')}/index/gsi1`].flatMap(
        (on) => ['BatchGetItem', 'GetItem', 'Query'].map((action) => `${on} ${action}`),
      ),
      `${table('events')} PutItem`,
      ...Object.keys(TABLES.accounts.marks).map(() => `${table('accounts')} UpdateItem`),
      ...['BatchWriteItem', 'ConditionCheckItem', 'DeleteItem', 'PutItem', 'UpdateItem'].map(
        (a) => `${table('chats')} ${a}`,
      ),
    ];
    expect(granted.toSorted()).toEqual(expected.toSorted());
  });

  test('who may only read accounts may note when a key or session was used, and nothing else', () => {
    const marks = mayDo('pages', 'dynamodb').filter(({ Condition }) => Condition !== undefined);
    expect(marks.map(({ actions, Condition }) => ({ actions, Condition }))).toEqual(
      Object.entries(TABLES.accounts.marks).map(([rows, attribute]) => ({
        actions: ['dynamodb:UpdateItem'],
        Condition: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [rows] },
          'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', attribute] },
          StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
        },
      })),
    );
  });

  test.each([
    ['sqs', ['sqs:SendMessage'], [`${ARN}:sqs:${HERE}:atrium-prod-mail`, `${ARN}:sqs:${HERE}:atrium-prod-runs`]],
    ['events', ['events:PutEvents'], [`${ARN}:events:${HERE}:event-bus/atrium-prod-events`]],
    ['kms', ['kms:Decrypt', 'kms:GenerateDataKey'], ['<atrium-prod-data.SealKeyArn>']],
    ['ses', ['ses:SendEmail', 'ses:SendRawEmail'], [`${ARN}:ses:${HERE}:identity/*`]],
    ['iam', ['iam:PassRole'], [`${ARN}:iam::<AWS::AccountId>:role/atrium-prod-schedules-<AWS::Region>`]],
    [
      'secretsmanager',
      ['secretsmanager:GetSecretValue'],
      [`${ARN}:secretsmanager:${HERE}:secret:atrium-prod-settings-??????`],
    ],
    [
      'execute-api',
      ['execute-api:ManageConnections'],
      ['DELETE', 'POST'].map((m) => `${ARN}:execute-api:${HERE}:<atrium-prod-realtime.ApiId>/live/${m}/@connections/*`),
    ],
  ])('%s is opened for what the description asks', (service, actions, on) => {
    expect(mayDo('pages', service)).toMatchObject([{ Effect: 'Allow', actions, resources: on }]);
  });

  test('a function that asks for nothing may only log and read its settings', () => {
    const actions = statementsOf(roleOf('tick')).flatMap((statement) => statement.actions);
    expect(actions.toSorted()).toEqual([
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      'secretsmanager:GetSecretValue',
      'ssm:GetParameter',
    ]);
  });
});

describe('environment', () => {
  const variables = (name: string) =>
    Object.fromEntries(
      Object.entries(named(name).props.Environment.Variables).map(([key, value]) => [key, plain(value)]),
    );

  test('names what the function was given, and nothing else', () => {
    expect(variables('pages')).toEqual({
      SETTINGS_SECRET: 'atrium-prod-settings',
      ADDRESS_PARAMETER: '/atrium/prod/address',
      TABLE_ACCOUNTS: 'atrium-prod-accounts',
      TABLE_EVENTS: 'atrium-prod-events',
      TABLE_CHATS: 'atrium-prod-chats',
      BUCKET_CONTENT: 'atrium-prod-content-<AWS::AccountId>-<AWS::Region>',
      BUCKET_FILES: 'atrium-prod-files-<AWS::AccountId>-<AWS::Region>',
      QUEUE_MAIL: 'https://sqs.<AWS::Region>.<AWS::URLSuffix>/<AWS::AccountId>/atrium-prod-mail',
      QUEUE_RUNS: 'https://sqs.<AWS::Region>.<AWS::URLSuffix>/<AWS::AccountId>/atrium-prod-runs',
      EVENT_BUS: 'atrium-prod-events',
      SCHEDULE_GROUP: 'atrium-prod-schedules',
      SCHEDULE_ROLE: `${ARN}:iam::<AWS::AccountId>:role/atrium-prod-schedules-<AWS::Region>`,
      SOCKET_ENDPOINT: 'https://<atrium-prod-realtime.ApiId>.execute-api.<AWS::Region>.<AWS::URLSuffix>/live',
      SEAL_KEY: 'alias/atrium-prod-seal',
    });
    expect(variables('tick')).toEqual({
      SETTINGS_SECRET: 'atrium-prod-settings',
      ADDRESS_PARAMETER: '/atrium/prod/address',
    });
  });

  test('stays far below the 4 KB that Lambda gives, for every deployed function', () => {
    const sizes = ofType(resourcesOf(build(REAL).stacks), 'AWS::Lambda::Function').map(
      ({ props }) => JSON.stringify(props.Environment.Variables).length,
    );
    expect(Math.max(...sizes)).toBeLessThan(3500);
  });
});

describe('a description that cannot work is refused', () => {
  const page = SAMPLE.families['pages']!;

  test('two functions under one name', () => {
    expect(() => build({ families: { tick: page }, jobs: SAMPLE.jobs })).toThrow(/Two functions are called tick/);
  });

  test('sockets without a job that serves them', () => {
    expect(() => build({ families: { pages: page }, jobs: {} })).toThrow(/no job .* serves the WebSocket API/);
  });
});
