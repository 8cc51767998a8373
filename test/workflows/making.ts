import { orgKey } from '../../shared/identity/rows.ts';
import { openTable } from '../../shared/store/table.ts';
import { call, type Answer } from '../support/call.ts';
import { anOrg, aUser, type Person } from '../support/people.ts';

/** Workflows for tests, made as any client would make them. */

export const BASE = '/api/v1/agent-workflows';

export const node = (id: string, kind: string, more: object = {}) => ({ id, kind, ...more });
export const edge = (source: string, target: string, source_handle = 'out') => ({ source, target, source_handle });

/** start → the nodes in a row → end. */
export const chain = (configs: Record<string, { kind: string; config: object }>, more: object = {}) => {
  const ids = ['start', ...Object.keys(configs), 'end'];
  return {
    nodes: ids.map((id) => node(id, configs[id]?.kind ?? id)),
    edges: ids.slice(1).map((id, at) => edge(ids[at] ?? '', id)),
    configs: Object.fromEntries(Object.entries(configs).map(([id, { config }]) => [id, config])),
    ...more,
  };
};

export const transform = (values: Record<string, string>) => ({ kind: 'transform', config: { values } });

export const simpleGraph = (value = '1') => chain({ work: transform({ value }) });

export const as = (person: { readonly token: string; readonly url?: string }) => ({
  call: (target: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    call(target.replace(' /', ` ${BASE}/`).replace(`${BASE}/api/`, '/api/'), body, { ...person, headers }),
});

export async function aWorkflow(person: Person, graph: object = simpleGraph()) {
  const { status, body } = await as(person).call('POST /', { name: 'Orders', graph });
  if (status !== 201) throw new Error(`Not created: ${JSON.stringify(body)}`);
  return body;
}

export async function publish(person: Person, id: string) {
  const staged = await as(person).call(`POST /${id}/stage`, {});
  if (staged.status !== 200) throw new Error(`Not staged: ${JSON.stringify(staged.body)}`);
  const published = await as(person).call(`POST /${id}/approve`, {});
  if (published.status !== 200) throw new Error(`Not published: ${JSON.stringify(published.body)}`);
  return published.body;
}

export async function aPublishedWorkflow(person: Person, graph?: object) {
  const { id } = await aWorkflow(person, graph);
  return publish(person, id);
}

const accounts = openTable('accounts');

/** An organization with two administrators and a member. */
export async function aTeam() {
  const { orgId, admin } = await anOrg();
  const [second, member] = await Promise.all([aUser({ role: 'ROLE_ORG_ADMIN', orgId }), aUser({ orgId })]);
  await accounts.update(orgKey(orgId), { set: { activeAdmins: 2, activeMembers: 3 } });
  return { orgId, admin, second, member };
}
