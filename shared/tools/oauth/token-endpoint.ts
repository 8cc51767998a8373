import { isObject, stringAt } from '../../llm/json-value.ts';
import type { ToolServer } from '../server.ts';
import { cannotAuthorize, type Ask } from './ask.ts';
import { TokenAnswer, type OauthClient, type TokenSource } from './tokens.ts';

/** The authorization server has said no, with a reason from its standard. Asking again would not change it. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly reason: string;

  constructor(reason: string) {
    super(`The authorization server answered ${reason}`);
    this.reason = reason;
  }
}

/** Asks for tokens. What is not a plain no is a failure of the server, after which the same question may succeed. */
export async function requestTokens(
  ask: Ask,
  server: Pick<ToolServer, 'name'>,
  { source, form }: { readonly source: TokenSource; readonly form: Readonly<Record<string, string>> },
): Promise<TokenAnswer> {
  const { status, body } = await post(ask, source, {
    url: source.token_endpoint,
    form: { ...form, resource: source.resource },
  });
  const reason = stringAt(body, 'error');
  if (reason !== undefined && status < 500 && !/^(temporarily_unavailable|server_error|slow_down)$/.test(reason))
    throw new Refused(plainReason(reason));
  const read = status === 200 && isObject(body) ? TokenAnswer.safeParse(body) : undefined;
  if (!read?.success) throw cannotAuthorize(server, `its authorization server answered ${status} without a token`);
  return read.data;
}

export const revokeToken = (ask: Ask, source: TokenSource, token: string) =>
  source.revocation_endpoint === undefined
    ? undefined
    : post(ask, source, { url: source.revocation_endpoint, form: { token } });

/** Reasons are words of the standard; anything else comes from elsewhere and is not repeated. */
export const plainReason = (reason: string) => (/^[\w.-]{1,64}$/.test(reason) ? reason : 'refused');

function post(
  ask: Ask,
  { client, auth_methods }: TokenSource,
  { url, form }: { readonly url: string; readonly form: Readonly<Record<string, string>> },
) {
  const shown = showClient(client, auth_methods);
  return ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...shown.headers },
    body: new URLSearchParams({ ...form, ...shown.form }).toString(),
  });
}

interface Shown {
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
}

/** How a client shows who it is: as the server has told it, else by a header, which every server has to take. */
export function showClient({ id, secret, method }: OauthClient, supported: readonly string[]): Shown {
  if (secret === undefined || method === 'none') return { form: { client_id: id } };
  const isByHeader = method === undefined && (supported.length === 0 || supported.includes('client_secret_basic'));
  if (isByHeader || method === 'client_secret_basic') {
    const pair = Buffer.from(`${formEncoded(id)}:${formEncoded(secret)}`).toString('base64');
    return { headers: { authorization: `Basic ${pair}` } };
  }
  return { form: { client_id: id, client_secret: secret } };
}

const formEncoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
