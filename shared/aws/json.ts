import { AwsError, createSend, type AwsResponse, type ServiceOptions } from './client.ts';

/** Services that take one JSON document per operation: DynamoDB, SQS, EventBridge, Secrets Manager, KMS. */
export type Operate = <Output>(operation: string, input: object) => Promise<Output>;

export interface JsonService extends ServiceOptions {
  readonly targetPrefix: string;
  readonly version: '1.0' | '1.1';
}

export function createJsonClient(service: string, { targetPrefix, version, ...options }: JsonService): Operate {
  const send = createSend(service, options);
  const type = `application/x-amz-json-${version}`;
  return async <Output>(operation: string, input: object) => {
    const headers = { 'content-type': type, 'x-amz-target': `${targetPrefix}.${operation}` };
    return parse(await send({ method: 'POST', path: '/', headers, body: JSON.stringify(input) })) as Output;
  };
}

/** Services with a path per operation: Scheduler, SES, the socket management API. */
export type CallRest = <Output>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object | Uint8Array,
) => Promise<Output>;

export function createRestClient(service: string, options: ServiceOptions = {}): CallRest {
  const send = createSend(service, options);
  return async <Output>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object | Uint8Array) => {
    const payload = body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body);
    const [pathname = path, search] = path.split('?');
    const query = search ? Object.fromEntries(new URLSearchParams(search)) : undefined;
    return parse(
      await send({ method, path: pathname, query, headers: { 'content-type': 'application/json' }, body: payload }),
    ) as Output;
  };
}

function parse(response: AwsResponse): unknown {
  const document: unknown = response.body.length ? JSON.parse(response.body.toString('utf8')) : {};
  if (response.status < 300) return document;
  const details = document as Record<string, unknown>;
  const type = text(details['__type']) ?? text(response.headers['x-amzn-errortype']) ?? `Http${response.status}`;
  const code = type.replace(/^.*#/, '').replace(/:.*$/, '');
  const message = text(details['message']) ?? text(details['Message']) ?? code;
  throw new AwsError(code, message, { status: response.status, details });
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
