import { requiredFromEnvironment } from '../settings/environment.ts';
import { SOCKET_ENDPOINT } from '../settings/names.ts';
import { createJsonClient, createRestClient } from './json.ts';

/** The services under the SDK's own ids, so its AWS_ENDPOINT_URL_<ID> variables hold; hosts and signing names often differ. */
export const sqs = createJsonClient('sqs', { targetPrefix: 'AmazonSQS', version: '1.0' });
export const eventBridge = createJsonClient('eventbridge', {
  host: 'events',
  signingName: 'events',
  targetPrefix: 'AWSEvents',
  version: '1.1',
});
export const kms = createJsonClient('kms', { targetPrefix: 'TrentService', version: '1.1' });
export const secretsManager = createJsonClient('secrets manager', {
  host: 'secretsmanager',
  signingName: 'secretsmanager',
  targetPrefix: 'secretsmanager',
  version: '1.1',
});
export const ssm = createJsonClient('ssm', { targetPrefix: 'AmazonSSM', version: '1.1' });
export const scheduler = createRestClient('scheduler');
export const ses = createRestClient('sesv2', { host: 'email', signingName: 'ses' });

/** Posts to open sockets; the stage's own address is part of the deployment. */
export const openSockets = () =>
  createRestClient('apigatewaymanagementapi', {
    signingName: 'execute-api',
    endpoint: new URL(requiredFromEnvironment(SOCKET_ENDPOINT)),
  });
