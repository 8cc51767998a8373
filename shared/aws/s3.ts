import { AwsError, createSend, type AwsResponse } from './client.ts';

/** The few object operations we need; bodies are bytes in and out. */
export interface Bucket {
  put(key: string, body: Uint8Array | string, options?: { readonly contentType?: string }): Promise<void>;
  get(key: string): Promise<Buffer | undefined>;
  delete(key: string): Promise<void>;
  /** Every key that starts with this. */
  list(prefix: string): AsyncGenerator<string>;
}

export function createBucket(name: string): Bucket {
  const send = createSend('s3', {});
  const path = (key: string) => `/${name}/${key.split('/').map(encodeURIComponent).join('/')}`;
  return {
    async put(key, body, options) {
      const headers = { 'content-type': options?.contentType ?? 'application/octet-stream' };
      demandOk(await send({ method: 'PUT', path: path(key), headers, body }), key);
    },
    async get(key) {
      const response = await send({ method: 'GET', path: path(key) });
      if (response.status === 404) return undefined;
      return demandOk(response, key).body;
    },
    async delete(key) {
      const response = await send({ method: 'DELETE', path: path(key) });
      if (response.status !== 404) demandOk(response, key);
    },
    async *list(prefix) {
      let token: string | undefined;
      do {
        const query = { 'list-type': '2', prefix, ...(token && { 'continuation-token': token }) };
        const page = demandOk(await send({ method: 'GET', path: `/${name}`, query }), prefix).body.toString('utf8');
        for (const [, key = ''] of page.matchAll(/<Key>(.*?)<\/Key>/g)) yield unescapeXml(key);
        token = textIn(page, 'NextContinuationToken');
      } while (token !== undefined);
    },
  };
}

const textIn = (xml: string, tag: string) => {
  const found = new RegExp(`<${tag}>(.*?)</${tag}>`).exec(xml)?.[1];
  return found === undefined ? undefined : unescapeXml(found);
};

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
const unescapeXml = (text: string) =>
  text.replaceAll(/&(#x?)?(\w+);/g, (whole, number: string | undefined, name: string) =>
    number ? String.fromCodePoint(parseInt(name, number === '#x' ? 16 : 10)) : (ENTITIES[name] ?? whole),
  );

function demandOk(response: AwsResponse, key: string) {
  if (response.status < 300) return response;
  const code = /<Code>(.*?)<\/Code>/.exec(response.body.toString('utf8'))?.[1] ?? `Http${response.status}`;
  throw new AwsError(code, `S3 refused ${key}: ${code}`, { status: response.status, details: {} });
}
