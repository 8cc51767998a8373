import * as z from 'zod';
import type { Connection } from '../../shared/connections/connection.ts';
import type { Connections } from '../../shared/connections/connections.ts';
import { connectionHeaders } from '../../shared/connections/credentials.ts';
import { keyChange, newConnection } from '../../shared/connections/draft.ts';
import { refuseTooMany } from '../../shared/connections/list-change.ts';
import { askUpstream } from '../../shared/connections/upstream-question.ts';
import { conflict, invalidField } from '../../shared/errors.ts';
import type { Outbound } from '../../shared/net/outbound.ts';
import type { Settings } from '../../shared/settings/variables.ts';
import type { Clock } from '../../shared/time.ts';
import { isChanged, planUpdate, type Draft } from './configuration-plan.ts';
import { KEY_MASK, type Candidate, type ConfigForm, type ConfigView } from './contract/config.ts';
import { createConfigurationStore } from './store.ts';

export interface ConfigurationParts {
  readonly settings: Pick<
    Settings,
    'ENABLE_UPSTREAM_API' | 'ENABLE_PERSISTENT_CONFIG' | 'HTTP_CLIENT_TIMEOUT_OPENAI_MODEL_LIST'
  >;
  readonly connections: Connections;
  readonly outbound: Outbound;
  readonly now: Clock;
  readonly newId: () => string;
}

/** What operators say about all runtimes at once. */
export function createConfiguration(parts: ConfigurationParts) {
  const { settings, connections } = parts;
  const store = createConfigurationStore();
  const runtimes = async () => connections.all(await store.read()).filter(({ kind }) => kind === 'runtime');
  const view = async (): Promise<ConfigView> => {
    const all = await runtimes();
    return {
      ENABLE_UPSTREAM_API: settings.ENABLE_UPSTREAM_API,
      UPSTREAM_BASE_URLS: all.map(({ url }) => url),
      UPSTREAM_API_CONFIGS: Object.fromEntries(
        all.map((one, place) => [place, configOf(one, connections.keys.has(one))]),
      ),
    };
  };
  return {
    view,
    async update(form: ConfigForm) {
      refuseOtherSettings(settings, form);
      const seenRevision = await store.readRevision();
      const now = parts.now();
      const { drafts, missing } = planUpdate(await runtimes(), form, {
        hasKey: (connection) => connections.keys.has(connection),
        newId: parts.newId,
        now,
      });
      refuseRemoval(missing.find(({ id }) => connections.isSeeded(id)));
      const changed = drafts.filter(isChanged);
      refuseTooMany({ saved: changed.length, removed: missing.length });
      const saved = await Promise.all(changed.map((draft) => sealed(connections, draft, now)));
      await store.change({ saved, removed: missing, seenRevision });
      return view();
    },
    async verify({ url, key }: Candidate) {
      const { connection, headers } =
        key === KEY_MASK ? await savedAt(connections, await runtimes(), url) : candidate(parts, url, key);
      const timeoutMs = settings.HTTP_CLIENT_TIMEOUT_OPENAI_MODEL_LIST * 1000;
      return askUpstream({ connection, headers, outbound: parts.outbound, timeoutMs }, VERSION);
    },
  };
}

export type Configuration = ReturnType<typeof createConfiguration>;

const VERSION = { path: '/api/version', schema: z.object({ version: z.string() }), expected: 'its version' };

const configOf = (connection: Connection, hasKey: boolean): ConfigView['UPSTREAM_API_CONFIGS'][string] => ({
  enable: connection.enabled,
  key: hasKey ? KEY_MASK : '',
  tags: connection.tags,
  prefix_id: connection.prefix_id,
  model_ids: connection.model_ids,
  headers: connection.headers,
  auth_type: connection.auth_type,
  connection_type: 'local',
});

function refuseOtherSettings(settings: ConfigurationParts['settings'], form: ConfigForm) {
  const { ENABLE_UPSTREAM_API: isOn } = settings;
  if (form.ENABLE_UPSTREAM_API !== undefined && form.ENABLE_UPSTREAM_API !== isOn)
    throw conflict(`ENABLE_UPSTREAM_API is ${isOn} by the environment of this installation; change it there`);
  if (!settings.ENABLE_PERSISTENT_CONFIG)
    throw conflict('ENABLE_PERSISTENT_CONFIG is false: only the runtimes that UPSTREAM_BASE_URL names are used');
}

/** Without its row it would be as the environment says, and still be there. */
function refuseRemoval(seeded: Connection | undefined) {
  if (seeded)
    throw conflict(
      `${seeded.url} comes from UPSTREAM_BASE_URL and cannot be removed here: take it out there, or send it with "enable": false`,
    );
}

async function sealed({ keys }: Connections, { before, next, key }: Draft, now: Connection['updated_at']) {
  const revision = (before?.revision ?? 0) + 1;
  return { ...next, ...(await keyChange(keys, next, key)), updated_at: now, revision };
}

function candidate({ now, newId }: ConfigurationParts, url: string, key: Candidate['key']) {
  const connection = newConnection({ kind: 'runtime', url, key }, newId(), now());
  return { connection, headers: connectionHeaders(connection, key || undefined) };
}

/** A saved key goes to its own address only. */
async function savedAt(connections: Connections, runtimes: readonly Connection[], url: string) {
  const connection = runtimes.find((one) => one.url === url && connections.keys.has(one));
  if (!connection) throw invalidField(['body', 'key'], 'No key is saved for this address: send the key itself');
  return { connection, headers: await connections.headers(connection) };
}
