import { App, RemovalPolicy } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { stageFrom } from '../../infra/stage.ts';

const stage = (context: Record<string, unknown>) => stageFrom(new App({ context }).node);
const CERTIFICATE = 'arn:aws:acm:us-east-1:111122223333:certificate/one';

test('an installation keeps its data unless somebody says it is disposable', () => {
  expect(stage({})).toMatchObject({ name: 'prod', removal: RemovalPolicy.RETAIN });
  expect(stage({ stage: 'trial', disposable: 'true' })).toMatchObject({
    name: 'trial',
    removal: RemovalPolicy.DESTROY,
  });
});

test('a domain comes with its certificate', () => {
  const domain = { name: 'atrium.example', certificate: CERTIFICATE };
  expect(stage({ domain: domain.name, certificate: CERTIFICATE }).domain).toEqual(domain);
});

test.each([
  [{ stage: 'My Stage' }, /must be 1 to 12 lower-case/],
  [{ stage: 'a'.repeat(13) }, /must be 1 to 12 lower-case/],
  [{ domain: 'atrium.example' }, /both domain and certificate/],
  [{ certificate: CERTIFICATE }, /both domain and certificate/],
  [{ domain: 'a.example', certificate: CERTIFICATE.replace('us-east-1', 'eu-west-1') }, /us-east-1/],
  [{ alarmMail: ['a@b.example'] }, /alarmMail must be text/],
])('%j is refused with a sentence', (context, message) => {
  expect(() => stage(context)).toThrow(message);
});
