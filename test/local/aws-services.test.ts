import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GetConnectionCommand,
  GoneException,
  PayloadTooLargeException,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import {
  DecryptCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  IncorrectKeyException,
  InvalidCiphertextException,
  KMSClient,
  NotFoundException,
} from '@aws-sdk/client-kms';
import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { BadRequestException, SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { request } from 'node:http';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAwsHost, type AwsHost } from '../../infra/local/aws/host.ts';
import type { Mail } from '../../infra/local/aws/mail.ts';
import { configureLog } from '../../shared/log.ts';

configureLog({ write: () => {} });

const mails: Mail[] = [];
const sockets = new Map<string, string[]>([['alive', []]]);
const KEYS = ['alias/atrium', 'alias/other'];
let dataDir: string;
let host: AwsHost;

const options = (endpoint: string) => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  maxAttempts: 1,
});

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'aws-services-'));
  host = await startAwsHost({
    dataDir,
    keys: KEYS,
    deliver: {
      onMail: (mail) => void mails.push(mail),
      secret: (name) => (name === 'atrium/settings' ? '{"JWT_SECRET":"s3"}' : undefined),
      sockets: {
        post: (id, data) => Boolean(sockets.get(id)?.push(Buffer.from(data).toString('utf8'))),
        get: (id) =>
          sockets.has(id)
            ? { connectedAt: 1000, lastActiveAt: 2000, sourceIp: '127.0.0.1', userAgent: 'test' }
            : undefined,
        close: (id) => sockets.delete(id),
      },
    },
  });
});

afterAll(async () => {
  await host.stop();
  await rm(dataDir, { recursive: true });
});

describe('mail', () => {
  const send = (input: SendEmailCommand['input']) =>
    new SESv2Client(options(host.endpoint)).send(new SendEmailCommand(input));
  const Simple = { Subject: { Data: 'Hi' }, Body: { Text: { Data: 'plain' }, Html: { Data: '<b>rich</b>' } } };

  test('a simple message is handed over with its parts', async () => {
    const { MessageId } = await send({
      FromEmailAddress: 'a@example.com',
      Destination: { ToAddresses: ['b@example.com'], CcAddresses: ['c@example.com'] },
      ReplyToAddresses: ['r@example.com'],
      Content: {
        Simple: {
          ...Simple,
          Headers: [{ Name: 'X-One', Value: '1' }],
          Attachments: [{ FileName: 'a.txt', RawContent: Buffer.from('file') }],
        },
      },
    });
    expect(mails.at(-1)).toMatchObject({
      id: MessageId,
      from: 'a@example.com',
      to: ['b@example.com'],
      cc: ['c@example.com'],
      bcc: [],
      replyTo: ['r@example.com'],
      content: {
        kind: 'simple',
        subject: 'Hi',
        text: 'plain',
        html: '<b>rich</b>',
        headers: [{ name: 'X-One', value: '1' }],
      },
    });
    const content = mails.at(-1)?.content;
    expect(content?.kind === 'simple' && Buffer.from(content.attachments[0]?.content ?? []).toString()).toBe('file');
  });

  test('a raw message is handed over byte by byte', async () => {
    const mime = Buffer.from('From: a@example.com\r\n\r\nb\xe9', 'latin1');
    await send({ Destination: { ToAddresses: ['b@example.com'] }, Content: { Raw: { Data: mime } } });
    expect(mails.at(-1)?.content).toEqual({ kind: 'raw', mime: new Uint8Array(mime) });
  });

  test('a message without content, sender or recipient is refused', async () => {
    const Destination = { ToAddresses: ['b@example.com'] };
    const FromEmailAddress = 'a@example.com';
    await expect(send({ FromEmailAddress, Destination, Content: {} })).rejects.toBeInstanceOf(BadRequestException);
    await expect(send({ Destination, Content: { Simple } })).rejects.toBeInstanceOf(BadRequestException);
    await expect(send({ FromEmailAddress, Content: { Simple } })).rejects.toBeInstanceOf(BadRequestException);
  });
});

describe('connections', () => {
  const client = () => new ApiGatewayManagementApiClient(options(`${host.endpoint}/prod`));

  test('a message reaches an open connection, which can be described and closed', async () => {
    await client().send(new PostToConnectionCommand({ ConnectionId: 'alive', Data: 'hello' }));
    expect(sockets.get('alive')).toEqual(['hello']);
    const found = await client().send(new GetConnectionCommand({ ConnectionId: 'alive' }));
    expect(found).toMatchObject({
      ConnectedAt: new Date(1000),
      LastActiveAt: new Date(2000),
      Identity: { SourceIp: '127.0.0.1' },
    });
    await client().send(new DeleteConnectionCommand({ ConnectionId: 'alive' }));
    expect(sockets.has('alive')).toBe(false);
  });

  test('an unknown connection is gone for every call', async () => {
    const ConnectionId = 'L0SM9cOFvHcCIhw=';
    await expect(client().send(new PostToConnectionCommand({ ConnectionId, Data: 'x' }))).rejects.toBeInstanceOf(
      GoneException,
    );
    await expect(client().send(new GetConnectionCommand({ ConnectionId }))).rejects.toBeInstanceOf(GoneException);
    await expect(client().send(new DeleteConnectionCommand({ ConnectionId }))).rejects.toBeInstanceOf(GoneException);
  });

  test('more than 128 KB in one message is too large', async () => {
    sockets.set('big', []);
    const post = (size: number) =>
      client().send(new PostToConnectionCommand({ ConnectionId: 'big', Data: Buffer.alloc(size, 120) }));
    await post(128 * 1024);
    await expect(post(128 * 1024 + 1)).rejects.toBeInstanceOf(PayloadTooLargeException);
    expect(sockets.get('big')).toHaveLength(1);
  });
});

describe('secrets', () => {
  const get = (SecretId: string) =>
    new SecretsManagerClient(options(host.endpoint)).send(new GetSecretValueCommand({ SecretId }));

  test('a secret is read by name or ARN, an unknown one is not found', async () => {
    const byName = await get('atrium/settings');
    expect(byName).toMatchObject({ Name: 'atrium/settings', SecretString: '{"JWT_SECRET":"s3"}' });
    expect(await get(byName.ARN ?? '')).toMatchObject({ SecretString: byName.SecretString });
    await expect(get('other')).rejects.toBeInstanceOf(ResourceNotFoundException);
  });
});

describe('keys', () => {
  const kms = () => new KMSClient(options(host.endpoint));
  const EncryptionContext = { tenant: 't1', field: 'ldap' };

  test('a data key comes back from its sealed form only in the same context', async () => {
    const made = await kms().send(
      new GenerateDataKeyCommand({ KeyId: 'alias/atrium', KeySpec: 'AES_256', EncryptionContext }),
    );
    expect(made.Plaintext).toHaveLength(32);
    const { CiphertextBlob } = made;
    const opened = await kms().send(
      new DecryptCommand({ CiphertextBlob, EncryptionContext: { field: 'ldap', tenant: 't1' } }),
    );
    expect(Buffer.from(opened.Plaintext ?? [])).toEqual(Buffer.from(made.Plaintext ?? []));
    const elsewhere = kms().send(
      new DecryptCommand({ CiphertextBlob, EncryptionContext: { ...EncryptionContext, tenant: 't2' } }),
    );
    await expect(elsewhere).rejects.toBeInstanceOf(InvalidCiphertextException);
  });

  test('a changed ciphertext, another key and an unknown key are refused', async () => {
    const { CiphertextBlob = new Uint8Array() } = await kms().send(
      new EncryptCommand({ KeyId: 'alias/atrium', Plaintext: Buffer.from('s') }),
    );
    const bent = Uint8Array.from(CiphertextBlob, (byte, i) => (i === CiphertextBlob.length - 1 ? byte ^ 1 : byte));
    await expect(kms().send(new DecryptCommand({ CiphertextBlob: bent }))).rejects.toBeInstanceOf(
      InvalidCiphertextException,
    );
    await expect(kms().send(new DecryptCommand({ CiphertextBlob: new Uint8Array([1, 200]) }))).rejects.toBeInstanceOf(
      InvalidCiphertextException,
    );
    await expect(kms().send(new DecryptCommand({ CiphertextBlob, KeyId: 'alias/other' }))).rejects.toBeInstanceOf(
      IncorrectKeyException,
    );
    await expect(
      kms().send(new EncryptCommand({ KeyId: 'alias/typo', Plaintext: Buffer.from('s') })),
    ).rejects.toBeInstanceOf(NotFoundException);
  });

  test('what was sealed before a restart opens after it, by a key file only its owner can read', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'aws-keys-'));
    const first = await startAwsHost({ dataDir: dir, keys: KEYS });
    const { CiphertextBlob } = await new KMSClient(options(first.endpoint)).send(
      new EncryptCommand({ KeyId: 'alias/atrium', Plaintext: Buffer.from('kept') }),
    );
    await first.stop();
    expect((await stat(join(dir, 'kms.key'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(dir, 'kms.key'))).toHaveLength(32);
    const second = await startAwsHost({ dataDir: dir, keys: KEYS });
    const { Plaintext } = await new KMSClient(options(second.endpoint)).send(new DecryptCommand({ CiphertextBlob }));
    expect(Buffer.from(Plaintext ?? []).toString()).toBe('kept');
    await second.stop();
    await writeFile(join(dir, 'kms.key'), 'short');
    await expect(startAwsHost({ dataDir: dir })).rejects.toThrow('is damaged');
    await rm(dir, { recursive: true });
  });
});

describe('the host itself', () => {
  test('it refuses to listen anywhere but on loopback', async () => {
    for (const address of ['0.0.0.0', '::', '192.168.1.1', 'example.com'])
      await expect(startAwsHost({ dataDir: undefined, host: address })).rejects.toThrow('not a loopback address');
  });

  test('a second host on the same data is refused with the reason', async () => {
    await expect(startAwsHost({ dataDir })).rejects.toThrow('is another host using it?');
  });

  test('clients find it by the endpoint variables alone', async () => {
    expect(host.environment).toEqual(
      Object.fromEntries(
        ['SQS', 'EVENTBRIDGE', 'SCHEDULER', 'SESV2', 'APIGATEWAYMANAGEMENTAPI', 'SECRETS_MANAGER', 'KMS'].map(
          (name) => [`AWS_ENDPOINT_URL_${name}`, host.endpoint],
        ),
      ),
    );
  });

  test('an operation that is not hosted is named in the refusal', async () => {
    const answer = await post({ 'x-amz-target': 'AmazonSQS.TagQueue' }, '{}');
    expect(answer).toMatchObject({
      status: 400,
      body: { __type: 'UnknownOperationException', message: 'AmazonSQS.TagQueue is not hosted locally.' },
    });
    expect(await post({ 'x-amz-target': 'AmazonSQS.constructor' }, '{}')).toMatchObject({ status: 400 });
    expect(await post({}, '{}')).toMatchObject({ status: 404 });
  });

  test('a body that is not JSON is refused', async () => {
    expect(await post({ 'x-amz-target': 'AmazonSQS.ListQueues' }, '{')).toMatchObject({
      status: 400,
      body: { __type: 'SerializationException' },
    });
  });

  test('a request without a signature, as a web page would send it, is refused', async () => {
    expect(await post({ authorization: '', 'x-amz-target': 'AmazonSQS.ListQueues' }, '{}')).toMatchObject({
      status: 403,
    });
  });

  test('with an access key set, only its holder is answered', async () => {
    const guarded = await startAwsHost({ dataDir: undefined, accessKeyId: 'mine' });
    const list = (accessKeyId: string) =>
      new SQSClient({ ...options(guarded.endpoint), credentials: { accessKeyId, secretAccessKey: 's' } }).send(
        new ListQueuesCommand({}),
      );
    await expect(list('yours')).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
    await expect(list('mine')).resolves.toBeDefined();
    await guarded.stop();
  });

  test('stopping ends long polls at once', async () => {
    const brief = await startAwsHost({ dataDir: undefined, queues: [{ name: 'q' }] });
    const poll = JSON.stringify({ QueueUrl: 'q', WaitTimeSeconds: 20 });
    const polled = post({ 'x-amz-target': 'AmazonSQS.ReceiveMessage' }, poll, brief.endpoint);
    // Requests are taken in order: when these are answered, the poll is waiting.
    for (let trips = 0; trips < 3; trips += 1)
      await post({ 'x-amz-target': 'AmazonSQS.ListQueues' }, '{}', brief.endpoint);
    await brief.stop();
    expect(await polled).toMatchObject({ status: 200, body: {} });
  });
});

const SIGNED = 'AWS4-HMAC-SHA256 Credential=local/20260301/us-east-1/sqs/aws4_request, SignedHeaders=host, Signature=0';

const post = (headers: Record<string, string>, body: string, endpoint = host.endpoint) =>
  new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
    const call = request(
      `${endpoint}/`,
      { method: 'POST', headers: { authorization: SIGNED, ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
      },
    );
    call.on('error', reject).end(body);
  });
