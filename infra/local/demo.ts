import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPlatformStore } from '../../functions/admin/platform-store.ts';
import { createOperatorStore } from '../../functions/admin/store.ts';
import type { Settings } from '../../shared/settings/variables.ts';
import { StartError } from './options.ts';

export interface Demo {
  readonly logins: readonly DemoLogin[];
  readonly apiKey: string;
  /** A first request that works as pasted. */
  readonly curl: string;
  /** All of it, ready to be printed. */
  readonly lines: readonly string[];
}

export interface DemoLogin {
  readonly who: string;
  readonly email: string;
  readonly password: string;
}

const ADMIN = 'admin@demo.example';
const MEMBER = 'member@demo.example';
const OPERATOR = 'operator@demo.example';

/**
 * A company with an admin and a member, a platform operator and an API key, made over the public interface as anyone
 * would make them. A second start finds what is there and only gives the API key a new secret, since the old one is
 * stored nowhere. The password follows from this installation's secret: nobody can know it who does not run it.
 */
export async function seedDemo(settings: Settings, address: string = settings.SVC_URL): Promise<Demo> {
  if (settings.ENV !== 'dev') throw new StartError('--demo is only for ENV=dev.');
  const password = `demo-${createHmac('sha256', settings.JWT_SECRET).update('demo').digest('base64url').slice(0, 16)}`;
  const api = apiAt(address);
  const token = await company(api, password);
  await member(api, token, password);
  const hasOperator = await operator(api, settings.ADMIN_SETUP_KEY, password);
  const apiKey = await key(api, token);
  const logins = [
    { who: 'Org admin', email: ADMIN, password },
    { who: 'Member', email: MEMBER, password },
    ...(hasOperator ? [{ who: 'Operator', email: OPERATOR, password }] : []),
  ];
  const hello = JSON.stringify({ model: 'demo', messages: [{ role: 'user', content: 'Hello' }] });
  const headers = `-H 'Authorization: Bearer ${apiKey}' -H 'content-type: application/json'`;
  const curl = `curl -s ${address}/api/chat/completions ${headers} -d '${hello}'`;
  return { logins, apiKey, curl, lines: printed({ logins, apiKey, curl, address }) };
}

interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- read as any client would, and judged by its status
  readonly body: any;
}

type Api = (target: string, body?: object, token?: string) => Promise<Answer>;

const apiAt =
  (address: string): Api =>
  async (target, body, token) => {
    const [method, path = ''] = target.split(' ');
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const response = await fetch(`${address}${path}`, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };

/** The admin's token. A new company gets a plan that does not run out while somebody looks around. */
async function company(api: Api, password: string): Promise<string> {
  const facts = { companyName: 'Demo Company', companyCode: 'demo', name: 'Dana Admin', email: ADMIN, password };
  const made = await api('POST /api/auth/register-company', facts);
  if (made.status === 201) {
    const store = createPlatformStore();
    const org = await store.organization(made.body.organization.id);
    const set = { plan: { id: 'team', trialEndsAt: null }, status: 'ACTIVE' };
    if (org) await store.updateOrganization(org, { set }, []);
  } else if (made.status !== 409) throw unexpected('The demo company', made);
  const session = await api('POST /api/auth/login', { email: ADMIN, password });
  if (typeof session.body?.token !== 'string') throw unexpected('The demo login', session);
  return session.body.token;
}

async function member(api: Api, token: string, password: string): Promise<void> {
  const invited = await api('POST /api/org/team/invite', { email: MEMBER, name: 'Mika Member' }, token);
  const code = invited.body?.error?.code;
  if (code === 'already_member') return;
  if (invited.status !== 201 && code !== 'invite_pending') throw unexpected('The demo invitation', invited);
  const accepted = await api('POST /api/auth/invite/accept', { token: await mailedToken(api, MEMBER), password });
  if (accepted.status !== 200) throw unexpected('The demo member', accepted);
}

/** False where somebody has set the platform up already with an operator of their own. */
async function operator(api: Api, setupKey: string, password: string): Promise<boolean> {
  const made = await api('POST /api/admin/auth/setup', { setupKey, name: 'Ola Operator', email: OPERATOR, password });
  if (made.status !== 201 && made.status !== 409) throw unexpected('The demo operator', made);
  return made.status === 201 || (await createOperatorStore().byAddress(OPERATOR)) !== undefined;
}

async function key(api: Api, token: string): Promise<string> {
  const { body: own } = await api('GET /api/auth/api-keys', undefined, token);
  const old = own.data.find(({ name }: { name: string }) => name === 'Demo');
  const made = old
    ? await api(`POST /api/auth/api-keys/${old.id}/rotate`, undefined, token)
    : await api('POST /api/auth/api-keys', { name: 'Demo' }, token);
  if (typeof made.body?.key !== 'string') throw unexpected('The demo API key', made);
  return made.body.key;
}

/** The newest invitation in the mailbox; a job puts it there a moment after it was sent. */
async function mailedToken(api: Api, email: string): Promise<string> {
  for (let waited = 0; waited < 10_000; waited += 20) {
    const { body } = await api(`GET /dev/mailbox.json?to=${email}`);
    const token = /#token=([\w-]+)/.exec(body?.[0]?.text ?? '')?.[1];
    if (token) return token;
    await sleep(20);
  }
  throw new StartError('The invitation of the demo member did not arrive in the mailbox.');
}

const unexpected = (what: string, { status, body }: Answer) =>
  new StartError(
    `${what} could not be made (${status}): ${String(body?.error?.message)}. With --ephemeral it starts from nothing.`,
  );

const printed = ({ logins, apiKey, curl, address }: Omit<Demo, 'lines'> & { readonly address: string }) => [
  ...logins.map(({ who, email, password }) => `${who.padEnd(10)} ${email.padEnd(22)} ${password}`),
  `API key    ${apiKey}`,
  `Operators sign in at ${address}/api/admin/auth/login; their login code is in ${address}/dev/mailbox`,
  `Try:  ${curl}`,
];
