import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { call } from '../support/call.ts';
import { anOperator } from '../support/people.ts';
import { MODELS, RUNTIME_MODELS, startModelServer, type ModelServer } from './model-server.ts';

/** A model server of this file's own, connected three times: once for each format in which models can be called. */
export interface Gateway {
  readonly server: ModelServer;
  readonly operator: { readonly token: string };
  /** The ids by which callers know a model of the server, by the format of the connection. */
  chat(model: string): string;
  messages(model: string): string;
  runtime(model: string): string;
}

export function useGateway(): Gateway {
  const name = randomUUID().slice(0, 8);
  let server: ModelServer | undefined;
  let operator: { readonly token: string } | undefined;
  const connections: string[] = [];
  beforeAll(async () => {
    const own = (server = await startModelServer());
    const by = (operator = await anOperator());
    const connect = async (connection: Record<string, unknown>) => {
      const { status, body } = await call('POST /api/v1/connections', connection, by);
      if (status !== 200) throw new Error(`The connection was refused: ${JSON.stringify(body)}`);
      connections.push(String(body.id));
    };
    const compat = { kind: 'compat', key: 'upstream-key', model_ids: MODELS };
    await connect({ ...compat, url: own.compat, prefix_id: `c${name}` });
    await connect({
      ...compat,
      url: own.messages,
      prefix_id: `m${name}`,
      api_type: 'messages',
      auth_type: 'x-api-key',
    });
    await connect({ kind: 'runtime', url: own.runtime, prefix_id: `r${name}`, model_ids: RUNTIME_MODELS });
  });
  afterAll(async () => {
    for (const id of connections) await call(`DELETE /api/v1/connections/${id}`, undefined, operator);
    await server?.stop();
  });
  const demand = <T>(found: T | undefined): T => {
    if (found === undefined) throw new Error('The model server is not running yet');
    return found;
  };
  return {
    get server() {
      return demand(server);
    },
    get operator() {
      return demand(operator);
    },
    chat: (model) => `c${name}.${model}`,
    messages: (model) => `m${name}.${model}`,
    runtime: (model) => `r${name}.${model}`,
  };
}
