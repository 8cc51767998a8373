import type { Connection } from '../../shared/connections/connection.ts';
import { factsAbout, type Facts, type Targets } from '../../shared/completion/targets.ts';
import { notFound } from '../../shared/errors.ts';
import type { OperatorActor, UserActor } from '../../shared/identity/actor.ts';
import { modelNotFound, type Models } from '../../shared/models/models.ts';

export interface RuntimeParts {
  readonly models: Models;
  readonly targets: Targets;
}

/** A model as the runtime lists it, under the name that callers use. */
export interface Tag {
  readonly [field: string]: unknown;
  readonly name: string;
  readonly model: string;
  /** The places of the runtimes that have it. */
  readonly urls: number[];
}

/** The local runtimes in their order. A caller may name one of them by its place. */
export const createRuntimes = ({ models, targets }: RuntimeParts) => {
  const all = async () => (await models.connections()).filter(({ kind }) => kind === 'runtime');
  const at = async (index: string): Promise<Connection> => {
    const found = /^\d{1,4}$/.test(index) ? (await all())[Number(index)] : undefined;
    if (!found) throw notFound('Runtime');
    return found;
  };
  return {
    all,
    at,
    /** Only those that the viewer may use; of one runtime when it is named. */
    async tags(viewer: UserActor | OperatorActor, index?: string): Promise<Tag[]> {
      const [runtimes, only, entries] = await Promise.all([
        all(),
        index === undefined ? undefined : at(index),
        models.list(viewer),
      ]);
      return entries.flatMap(({ base, row, hosts }) => {
        if (base.kind !== 'runtime' || (row && row.base_model_id !== null)) return [];
        if (only && !hosts.some(({ id }) => id === only.id)) return [];
        const urls = hosts.map(({ id }) => runtimes.findIndex((one) => one.id === id)).filter((place) => place >= 0);
        return [{ ...base.raw, name: base.id, model: base.id, urls, connection_type: 'local' }];
      });
    },
    /** Finds models at one runtime only; one that it does not have is not there. */
    targetsAt: (index: string): Pick<Targets, 'find'> => ({
      async find(actor: UserActor, id: string, facts?: Facts) {
        const [model, runtime] = await Promise.all([models.resolve(actor, id), at(index)]);
        if (!model.hosts.some((host) => host.id === runtime.id)) throw modelNotFound();
        const via = await targets.address(model, runtime, { ...factsAbout(actor), ...facts });
        return { id, isLocal: true, params: model.params, meta: model.meta, via };
      },
    }),
  };
};

export type Runtimes = ReturnType<typeof createRuntimes>;
