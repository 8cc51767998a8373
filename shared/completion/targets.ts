import type { Connection } from '../connections/connection.ts';
import type { Connections } from '../connections/connections.ts';
import type { UserActor } from '../identity/actor.ts';
import type { Models, ResolvedModel } from '../models/models.ts';
import type { Address, Target } from './target.ts';

/** Placeholders that a connection's own headers may have. */
export type Facts = Readonly<Record<string, string>>;

/** What completions ask of the catalogue of models. */
export interface Targets {
  /** The model under this id; one that is unknown and one that is not for this user are refused alike. */
  find(actor: UserActor, id: string, facts?: Facts): Promise<Target>;
  /** The model that an operator has chosen for the gateway's own small tasks, whoever they are done for. */
  findForService(id: string): Promise<Target>;
  /** One of the servers that have a model. */
  address(model: ResolvedModel, connection: Connection, facts?: Facts): Promise<Address>;
}

export function createTargets(models: Pick<Models, 'resolve'>, connections: Pick<Connections, 'headers'>): Targets {
  const address: Targets['address'] = async ({ upstreamId }, connection, facts) => ({
    kind: 'server',
    format: connection.kind === 'runtime' ? 'runtime' : connection.api_type,
    baseUrl: connection.url,
    model: upstreamId,
    headers: await connections.headers(connection, facts),
    trusted: true,
  });
  const toTarget = async (model: ResolvedModel, facts?: Facts): Promise<Target> => ({
    id: model.id,
    isLocal: model.kind === 'runtime',
    params: model.params,
    meta: model.meta,
    via: model.connection
      ? await address(model, model.connection, facts)
      : { kind: 'built-in', name: model.upstreamId },
  });
  return {
    find: async (actor, id, facts) => toTarget(await models.resolve(actor, id), { ...factsAbout(actor), ...facts }),
    findForService: async (id) => toTarget(await models.resolve('service', id)),
    address,
  };
}

export const factsAbout = ({ userId, name, email, role }: UserActor): Facts => ({
  USER_ID: userId,
  USER_NAME: name,
  USER_EMAIL: email,
  USER_ROLE: role,
});
