import { isOpenTo, listedId, type Connection } from '../connections/connection.ts';
import { isGranted, type Viewer } from '../connections/grant.ts';
import type { UpstreamModel } from '../connections/upstream-list.ts';
import { objectAt } from '../llm/json-value.ts';
import type { ModelRow } from './model-row.ts';
import { PLATFORM } from './model-row.ts';
import type { Offer } from './upstream-models.ts';

/** A model that is part of this installation's own code. */
export interface FunctionModel {
  readonly id: string;
  readonly name: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** A model that can be called as it is. */
export type BaseModel =
  | ({ readonly kind: 'function' } & FunctionModel)
  | {
      readonly kind: Connection['kind'];
      readonly id: string;
      readonly name: string;
      /** Its name at the upstream. */
      readonly upstreamId: string;
      /** Every connection that has it; several only for local runtimes. */
      readonly hosts: readonly Connection[];
      readonly raw: UpstreamModel['raw'];
    };

/** All base models by id. Where two places offer the same id, the first counts; equal runtimes share the load. */
export function toBaseModels(functions: readonly FunctionModel[], offers: readonly Offer[]): Map<string, BaseModel> {
  const models = new Map<string, BaseModel>(functions.map((model) => [model.id, { kind: 'function', ...model }]));
  for (const { connection, models: offered } of offers) {
    for (const model of offered) addOffered(models, connection, model);
  }
  return models;
}

function addOffered(
  models: Map<string, BaseModel>,
  connection: Connection,
  { id: upstreamId, name, raw }: UpstreamModel,
) {
  // Servers of filters list them among their models.
  if (objectAt(raw, 'pipeline').type === 'filter') return;
  const id = listedId(connection, upstreamId);
  const known = models.get(id);
  if (!known) {
    models.set(id, { kind: connection.kind, id, name, upstreamId, hosts: [connection], raw });
  } else if (known.kind === 'runtime' && connection.kind === 'runtime' && !known.hosts.includes(connection)) {
    models.set(id, { ...known, hosts: [...known.hosts, connection] });
  }
}

export interface Rules {
  readonly isOpenToAll: boolean;
}

/**
 * The connections over which a viewer may use a base model; undefined when they may not use it at all. What an operator
 * says about the model itself comes before what its connections say.
 */
export function reachOf(viewer: Viewer, base: BaseModel, override: ModelRow | undefined, rules: Rules) {
  const everywhere = base.kind === 'function' ? [] : base.hosts;
  if (viewer.kind === 'platform' || rules.isOpenToAll) return everywhere;
  if (override?.access_grants) return isGranted(override.access_grants, viewer) ? everywhere : undefined;
  const open = everywhere.filter((host) => isOpenTo(host, viewer));
  return base.kind === 'function' || open.length > 0 ? open : undefined;
}

/**
 * An operator's model is for those it is granted to, or for those who may use its base model. A model of a tenant is for its
 * owner and whom they grant it to, all of whom must be allowed to use the base model themselves.
 */
export function mayUseDescribed(viewer: Viewer, row: ModelRow, mayUseItsBase: boolean, rules: Rules): boolean {
  if (viewer.kind === 'platform') return row.tenant === PLATFORM;
  if (row.tenant === PLATFORM) {
    return rules.isOpenToAll || (row.access_grants ? isGranted(row.access_grants, viewer) : mayUseItsBase);
  }
  const isTheirs = row.user_id === viewer.userId || isGranted(row.access_grants ?? [], viewer);
  return isTheirs && mayUseItsBase;
}

/** Who may change a described model. */
export function mayChange(viewer: Viewer, row: ModelRow): boolean {
  if (row.tenant === PLATFORM) return viewer.kind === 'platform';
  if (viewer.kind !== 'user') return false;
  return (
    row.user_id === viewer.userId ||
    (viewer.role === 'ROLE_ORG_ADMIN' && viewer.orgId !== null) ||
    isGranted(row.access_grants ?? [], viewer, 'write')
  );
}
