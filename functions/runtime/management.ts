import { upstreamIdOf, type Connection } from '../../shared/connections/connection.ts';
import type { Way } from '../../shared/completion/upstream.ts';
import { notFound } from '../../shared/errors.ts';
import type { OperatorActor } from '../../shared/identity/actor.ts';
import type { Fields } from '../../shared/llm/turn.ts';
import { forward, send, type Forwarding } from './forward.ts';
import { bodyFor } from './passthrough.ts';
import type { Runtimes } from './runtimes.ts';
import type { Answered } from '../../shared/http/streamed.ts';

export interface ManagementParts {
  readonly way: Way;
  readonly runtimes: Runtimes;
  readonly addressOf: (runtime: Connection) => Promise<Forwarding['address']>;
}

export interface Order {
  readonly actor: OperatorActor;
  readonly body: Fields & { readonly model?: string; readonly name?: string };
  readonly index?: string;
}

/** What operators do to the models of a runtime. Models are named as they are listed, or as the runtime itself names them. */
export const createManagement = ({ way, runtimes, addressOf }: ManagementParts) => {
  /** The named runtime; else the first that has the model; else the first. */
  const runtimeFor = async ({ actor, index }: Pick<Order, 'actor' | 'index'>, model: string) => {
    if (index !== undefined) return runtimes.at(index);
    const [all, tags] = await Promise.all([runtimes.all(), runtimes.tags(actor)]);
    const host = tags.find((tag) => tag.model === model)?.urls[0] ?? 0;
    const runtime = all[host];
    if (!runtime) throw notFound('Runtime');
    return runtime;
  };
  const orderFor = async (order: Order, path: string) => {
    const model = order.body.model ?? order.body.name ?? '';
    const runtime = await runtimeFor(order, model);
    return { address: await addressOf(runtime), path, body: bodyFor(order.body, { model: ownName(runtime, model) }) };
  };
  return {
    stream: async (order: Order, path: string): Promise<Answered> => forward(way, await orderFor(order, path)),
    async remove(order: Order): Promise<true> {
      (await send(way, { ...(await orderFor(order, '/api/delete')), method: 'DELETE' })).close();
      return true;
    },
    async copy(
      order: Pick<Order, 'actor' | 'index'>,
      { source, destination }: { source: string; destination: string },
    ) {
      const runtime = await runtimeFor(order, source);
      const body = JSON.stringify({ source: ownName(runtime, source), destination: ownName(runtime, destination) });
      (await send(way, { address: await addressOf(runtime), path: '/api/copy', body })).close();
      return true as const;
    },
    /** A runtime drops a model that it is asked to keep for no time. */
    async unload(order: Order) {
      const { address, body } = await orderFor(order, '/api/generate');
      const { model } = JSON.parse(body) as { model: string };
      const asked = JSON.stringify({ model, keep_alive: 0, stream: false });
      (await send(way, { address, path: '/api/generate', body: asked })).close();
      return { status: true as const };
    },
  };
};

export type Management = ReturnType<typeof createManagement>;

const ownName = (runtime: Connection, model: string) => upstreamIdOf(runtime, model) ?? model;
