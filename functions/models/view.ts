import type { Connection } from '../../shared/connections/connection.ts';
import type { Viewer } from '../../shared/connections/grant.ts';
import { mayChange, type BaseModel } from '../../shared/models/catalog.ts';
import type { ModelRow } from '../../shared/models/model-row.ts';
import type { Entry } from '../../shared/models/models.ts';
import { toSeconds, type Millis } from '../../shared/time.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What lists need to know about all connections: their order is what clients call the index. */
export interface Placing {
  readonly order: readonly Connection[];
}

/** A model as lists show it. */
export function listItem({ base, row, hosts }: Entry, placing: Placing) {
  const own = row && row.base_model_id !== null ? row : undefined;
  return {
    ...(own ? inherited(base) : baseItem(base, hosts, placing)),
    id: own?.id ?? base.id,
    name: row?.name ?? base.name,
    object: 'model' as const,
    owned_by: OWNERS[base.kind],
    ...(own && { created: toSeconds(own.created_at as Millis), preset: true }),
    ...(row && { info: infoOf(row) }),
    tags: tagsOf(hosts, row).map((name) => ({ name })),
    actions: [],
    filters: [],
  };
}

const OWNERS = { runtime: 'upstream', compat: 'compat', function: 'svc' } as const;
const TYPES = { runtime: 'local', compat: 'external', function: 'internal' } as const;

const inherited = (base: BaseModel) => ({
  connection_type: TYPES[base.kind],
  ...(base.kind === 'function' && { pipe: { type: 'pipe' } }),
});

function baseItem(base: BaseModel, hosts: readonly Connection[], { order }: Placing): Fields {
  const connection_type = TYPES[base.kind];
  if (base.kind === 'function') return { created: 0, connection_type, pipe: { type: 'pipe' }, has_user_valves: false };
  const places = order.filter(({ kind }) => kind === base.kind);
  const urls = hosts.map((host) => places.indexOf(host));
  if (base.kind === 'runtime') return { created: 0, connection_type, upstream: { ...base.raw, urls, connection_type } };
  return { created: 0, ...base.raw, connection_type, compat: base.raw, urlIdx: urls[0] };
}

/** Settings, above all the system prompt, never leave by a list; pictures would make it heavy. */
function infoOf({ tenant: _tenant, params: _params, revision: _revision, meta, ...row }: ModelRow) {
  return {
    ...row,
    meta: withoutImage(meta),
    access_grants: row.access_grants ?? [],
    created_at: toSeconds(row.created_at as Millis),
    updated_at: toSeconds(row.updated_at as Millis),
  };
}

const withoutImage = ({ profile_image_url: _image, ...meta }: Fields) => meta;

export function tagsOf(hosts: readonly Connection[], row: ModelRow | undefined): string[] {
  const described = Array.isArray(row?.meta['tags']) ? row.meta['tags'].map(tagName) : [];
  return [...new Set([...hosts.flatMap(({ tags }) => tags), ...described])].filter(Boolean);
}

const tagName = (tag: unknown) =>
  typeof tag === 'string' ? tag : String((typeof tag === 'object' && tag !== null && Reflect.get(tag, 'name')) || '');

/** What is known of a base model beside its list entry. */
export interface Facts {
  readonly description?: string;
  readonly capabilities?: string[] | Record<string, unknown>;
  readonly context_length?: number;
  readonly max_output_tokens?: number;
}

/** One model in full. Who may only use it sees the numbers of its settings and nothing else of them. */
export function modelView({ base, row }: Pick<Entry, 'base' | 'row'>, viewer: Viewer, facts: Facts = {}) {
  const mayWrite = row ? mayChange(viewer, row) : viewer.kind === 'platform';
  const times = { created_at: row?.created_at ?? 0, updated_at: row?.updated_at ?? 0 };
  return {
    id: row?.id ?? base.id,
    name: row?.name ?? base.name,
    model: base.id,
    base_model_id: row?.base_model_id ?? null,
    user_id: row?.user_id ?? null,
    meta: { ...UNKNOWN, ...facts, ...withoutImage(row?.meta ?? {}) },
    params: { ...numbersIn(row?.params ?? {}), ...(mayWrite && row?.params) },
    access_grants: (row?.access_grants ?? []).map((grant, i) => ({
      id: `${row?.id ?? ''}:${i}`,
      resource_type: 'model' as const,
      resource_id: row?.id ?? '',
      ...grant,
    })),
    inherits_access: !row?.access_grants,
    is_active: row?.is_active ?? true,
    write_access: mayWrite,
    owned_by: OWNERS[base.kind],
    created_at: toSeconds(times.created_at as Millis),
    updated_at: toSeconds(times.updated_at as Millis),
  };
}

const UNKNOWN = { description: '', capabilities: [], context_length: null, max_output_tokens: null };

/** What the chat-completions format takes where nothing is said. */
const DEFAULTS = { temperature: 1, top_p: 1, frequency_penalty: 0, presence_penalty: 0 };

function numbersIn(params: Fields) {
  const said = Object.keys(DEFAULTS).flatMap((name) =>
    typeof params[name] === 'number' ? [[name, params[name]]] : [],
  );
  return { ...DEFAULTS, ...(Object.fromEntries(said) as Partial<typeof DEFAULTS>) };
}
