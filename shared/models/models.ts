import type { Connection } from '../connections/connection.ts';
import type { Viewer } from '../connections/grant.ts';
import { AppError } from '../errors.ts';
import { tenantOf } from '../identity/actor.ts';
import type { Settings } from '../settings/variables.ts';
import { createBaseModels, type BaseModelParts, type BaseModels } from './base-models.ts';
import { mayUseDescribed, reachOf, type BaseModel, type Rules } from './catalog.ts';
import { readPlatform, readTenant, type PlatformDirectory } from './directory.ts';
import type { ModelRow } from './model-row.ts';

/** A model that the viewer may use, with what was said about it. */
export interface Entry {
  readonly base: BaseModel;
  /** A model of its own, or what an operator says about the base model. */
  readonly row: ModelRow | undefined;
  /** The connections that may serve it to this viewer. */
  readonly hosts: readonly Connection[];
}

/** Everything that a completion needs to know about the model it was asked for. */
export interface ResolvedModel {
  /** As asked for. */
  readonly id: string;
  readonly name: string;
  readonly kind: BaseModel['kind'];
  /** The model's own name at its connection; the function's id for function models. */
  readonly upstreamId: string;
  /** Where to send it; absent for function models. Of several runtimes, one is chosen by chance. */
  readonly connection: Connection | undefined;
  readonly hosts: readonly Connection[];
  /** Whether it is a model of its own over a base model. */
  readonly isCustom: boolean;
  readonly baseModelId: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface Models {
  /** The models a viewer may use: base models first, then models of their own. */
  list(viewer: Viewer, options?: { readonly isForced?: boolean }): Promise<Entry[]>;
  /** Every base model, for operators. */
  base(options?: { readonly isForced?: boolean }): Promise<BaseModel[]>;
  find(viewer: Viewer | 'service', id: string): Promise<Entry | undefined>;
  /** Refuses what is unknown and what is not for this viewer with the same words. `service` is the platform itself. */
  resolve(viewer: Viewer | 'service', id: string): Promise<ResolvedModel>;
  /** The connections in use, in their order. */
  connections(): Promise<Connection[]>;
}

export interface ModelParts extends BaseModelParts {
  readonly settings: BaseModelParts['settings'] & Pick<Settings, 'BYPASS_MODEL_ACCESS_CONTROL'>;
  readonly random?: () => number;
}

export const modelNotFound = () => new AppError('model_not_found', 'Model not found');

/** A warm process answers from memory; a cold one needs one round trip to the table, its reads side by side. */
export function createModels({ random = Math.random, ...parts }: ModelParts): Models {
  const bases = createBaseModels(parts);
  const rules = { isOpenToAll: parts.settings.BYPASS_MODEL_ACCESS_CONTROL };
  const find: Models['find'] = async (viewer, id) => findEntry(await readShelves(viewer), { viewer, id, bases, rules });
  return {
    async list(viewer, options) {
      const shelves = await readShelves(viewer);
      return listEntries(shelves, { viewer, rules, base: await bases.all(shelves.platform, options) });
    },
    base: async (options) => [...(await bases.all(await readPlatform(), options)).values()],
    find,
    async resolve(viewer, id) {
      const entry = await find(viewer, id);
      if (!entry) throw modelNotFound();
      return toResolved(id, entry, random);
    },
    connections: async () => parts.connections.usable((await readPlatform()).connections),
  };
}

/** Described models within a viewer's reach. */
interface Shelves {
  readonly platform: PlatformDirectory;
  readonly own: ReadonlyMap<string, ModelRow>;
}

async function readShelves(viewer: Viewer | 'service'): Promise<Shelves> {
  const isUser = viewer !== 'service' && viewer.kind === 'user';
  const [platform, own] = await Promise.all([readPlatform(), isUser ? readTenant(tenantOf(viewer)) : NOTHING]);
  return { platform, own };
}

const NOTHING: ReadonlyMap<string, ModelRow> = new Map();

interface Listing {
  readonly viewer: Viewer;
  readonly rules: Rules;
  readonly base: ReadonlyMap<string, BaseModel>;
}

function listEntries({ platform, own }: Shelves, { viewer, rules, base }: Listing): Entry[] {
  const entry = (one: BaseModel, row: ModelRow | undefined) => entryFor({ viewer, base: one, row, platform, rules });
  const plain = [...base.values()].flatMap((one) => entry(one, overrideOf(platform, one.id)) ?? []);
  const described = [...platform.models.values(), ...own.values()].flatMap((row) => {
    const found = row.base_model_id === null ? undefined : base.get(row.base_model_id);
    return (found && entry(found, row)) ?? [];
  });
  return [...new Map([...plain, ...described].map((one) => [one.row?.id ?? one.base.id, one])).values()];
}

interface Search {
  readonly viewer: Viewer | 'service';
  readonly id: string;
  readonly bases: BaseModels;
  readonly rules: Rules;
}

async function findEntry({ platform, own }: Shelves, { viewer, id, bases, rules }: Search): Promise<Entry | undefined> {
  const row = own.get(id) ?? platform.models.get(id);
  const base = await bases.find(platform, row?.base_model_id ?? id);
  return base && entryFor({ viewer, base, row, platform, rules });
}

interface Candidate {
  readonly viewer: Viewer | 'service';
  readonly base: BaseModel;
  readonly row: ModelRow | undefined;
  readonly platform: PlatformDirectory;
  readonly rules: Rules;
}

/** The model as this viewer may use it, or undefined when they may not. */
function entryFor({ viewer, base, row, platform, rules }: Candidate): Entry | undefined {
  if (row && !row.is_active) return undefined;
  const everywhere = base.kind === 'function' ? [] : base.hosts;
  if (viewer === 'service') return { base, row, hosts: everywhere };
  const reach = reachOf(viewer, base, overrideOf(platform, base.id), rules);
  if (row === undefined || row.base_model_id === null) return reach && { base, row, hosts: reach };
  if (!mayUseDescribed(viewer, row, reach !== undefined, rules)) return undefined;
  return { base, row, hosts: reach ?? everywhere };
}

const overrideOf = ({ models }: PlatformDirectory, id: string) => {
  const row = models.get(id);
  return row?.base_model_id === null ? row : undefined;
};

function toResolved(id: string, { base, row, hosts }: Entry, random: () => number): ResolvedModel {
  return {
    id,
    name: row?.name ?? base.name,
    kind: base.kind,
    upstreamId: base.kind === 'function' ? base.id : base.upstreamId,
    connection: hosts[Math.floor(random() * hosts.length)],
    hosts,
    isCustom: row !== undefined && row.base_model_id !== null,
    baseModelId: base.id,
    params: row?.params ?? {},
    meta: row?.meta ?? {},
  };
}
