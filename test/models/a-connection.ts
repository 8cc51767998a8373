import { randomBytes } from 'node:crypto';
import { afterEach } from 'vitest';
import { call } from '../support/call.ts';
import { startModelServer, type ModelServer, type ModelServerOptions } from '../support/model-server.ts';
import { anOperator } from '../support/people.ts';

const cleanups: (() => Promise<unknown>)[] = [];

/** What a test has connected is gone after it: connections are seen by everyone on the host. */
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

export const aPrefix = () => `p${randomBytes(4).toString('hex')}`;

export async function aServer(options?: ModelServerOptions): Promise<ModelServer> {
  const server = await startModelServer(options);
  cleanups.push(() => server.stop());
  return server;
}

/** Saves a connection under a prefix of its own, as an operator would. */
export async function aConnection(form: Record<string, unknown>) {
  const operator = await anOperator();
  const prefix = aPrefix();
  const created = await call('POST /api/v1/connections', { prefix_id: prefix, ...form }, operator);
  if (created.status !== 200) throw new Error(JSON.stringify(created.body));
  const id = String(created.body.id);
  cleanups.push(() => call(`DELETE /api/v1/connections/${id}`, undefined, operator));
  return { id, prefix, operator, created };
}

export const listedIds = async (caller: { token: string }, path = '/api/models'): Promise<string[]> =>
  (await call(`GET ${path}`, undefined, caller)).body.data.map(({ id }: { id: string }) => id);
