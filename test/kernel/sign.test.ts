import { Hash } from '@smithy/hash-node';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { test } from 'vitest';
import { sign } from '../../shared/aws/sign.ts';

const word = fc.string({ unit: fc.constantFrom(..."abcXYZ019-._~ /+=&%ü!*'()$,:@".split('')), maxLength: 12 });
const segment = word.map((text) => encodeURIComponent(text));
const requests = fc.record({
  service: fc.constantFrom('dynamodb', 'sqs', 's3', 'scheduler', 'execute-api'),
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  path: fc
    .array(
      segment.filter((text) => text !== '' && text !== '.' && text !== '..'),
      { maxLength: 4 },
    )
    .map((parts) => `/${parts.join('/')}`),
  query: fc.dictionary(
    word.filter((name) => name !== ''),
    word,
    { maxKeys: 3 },
  ),
  body: fc.oneof(
    fc.constant(undefined),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.uint8Array({ maxLength: 40 }),
  ),
  target: fc.constantFrom('DynamoDB_20120810.GetItem', 'two  spaces', ' padded '),
  sessionToken: fc.option(fc.constant('session-token'), { nil: undefined }),
  now: fc.integer({ min: 1_600_000_000_000, max: 1_900_000_000_000 }),
});

test('our signature equals the official signer on any request', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async ({ service, method, path, query, body, target, sessionToken, now }) => {
      const credentials = { accessKeyId: 'AKID', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG', sessionToken };
      const headers = {
        host: 'service.us-east-1.amazonaws.com',
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': target,
      };
      const official = new SignatureV4({
        service,
        region: 'eu-central-1',
        credentials,
        sha256: Hash.bind(null, 'sha256'),
        uriEscapePath: service !== 's3',
      });
      const expected = await official.sign(
        { method, protocol: 'https:', hostname: headers.host, path, query, headers, body },
        { signingDate: new Date(now) },
      );
      const ours = sign(
        { method, path, query, headers, body },
        { service, region: 'eu-central-1' },
        { credentials, now },
      );
      if (ours['authorization'] !== expected.headers['authorization'])
        throw new Error(`${ours['authorization']}\n${expected.headers['authorization']}`);
    }),
    { numRuns: 2000 },
  );
});
