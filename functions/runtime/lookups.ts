import type { Connection } from '../../shared/connections/connection.ts';
import type { Targets } from '../../shared/completion/targets.ts';
import type { Way } from '../../shared/completion/upstream.ts';
import { AppError } from '../../shared/errors.ts';
import type { UserActor } from '../../shared/identity/actor.ts';
import { listAt, stringAt } from '../../shared/llm/json-value.ts';
import type { Fields } from '../../shared/llm/turn.ts';
import { createFresh } from '../../shared/models/fresh.ts';
import { log } from '../../shared/log.ts';
import type { Clock } from '../../shared/time.ts';
import { forward, send } from './forward.ts';
import { bodyFor } from './passthrough.ts';
import type { Runtimes } from './runtimes.ts';
import type { Answered } from '../../shared/http/streamed.ts';

export interface LookupParts {
  readonly way: Way;
  readonly targets: Targets;
  readonly runtimes: Runtimes;
  /** What requests to a connection carry. */
  readonly headers: (connection: Connection) => Promise<Readonly<Record<string, string>>>;
  readonly now: Clock;
}

interface Lookup {
  readonly actor: UserActor;
  readonly body: Fields & { readonly model: string };
  readonly index?: string;
}

const SMALL = 1024 * 1024;
const VERSION_AGES = { freshMs: 60_000, staleMs: 600_000 };

/** Questions about models and texts that are no completions; each goes to one model server and its answer comes back. */
export const createLookups = (parts: LookupParts) => {
  const { way, targets, runtimes, headers, now } = parts;
  const addressOf = async (runtime: Connection) => ({
    baseUrl: runtime.url,
    headers: await headers(runtime),
    trusted: true,
  });
  const ask = async (runtime: Connection, path: string) =>
    (await send(way, { address: await addressOf(runtime), path, method: 'GET' })).json(SMALL);
  /** Asked by people who are not signed in, so the runtimes are spared. */
  const lowest = createFresh(
    async () => lowestOf(await askAll(await runtimes.all(), (one) => ask(one, '/api/version'))),
    { ...VERSION_AGES, now },
  );
  return {
    addressOf,
    version: async () => ({ version: await lowest.get() }),
    versionAt: async (index: string) => ({ version: lowestOf([await ask(await runtimes.at(index), '/api/version')]) }),
    async ps() {
      const answers = await askAll(await runtimes.all(), (one) => ask(one, '/api/ps'));
      return { models: answers.flatMap((answer) => [...listAt(answer, 'models')]) };
    },
    /** By a path of the runtime's own API. */
    async native({ actor, body, index }: Lookup, path: string): Promise<Answered> {
      const { via } = await (index === undefined ? targets : runtimes.targetsAt(index)).find(actor, body.model);
      if (via.kind !== 'server' || via.format !== 'runtime') throw elsewhere(body.model);
      return forward(way, { address: via, path, body: bodyFor(body, via) });
    },
    /** By a path of the compatible API, which runtimes have under `/v1`. */
    async compatible({ actor, body, index }: Lookup, path: string): Promise<Answered> {
      const { via } = await (index === undefined ? targets : runtimes.targetsAt(index)).find(actor, body.model);
      if (via.kind !== 'server' || via.format === 'messages') throw elsewhere(body.model);
      return forward(way, {
        address: via,
        path: via.format === 'runtime' ? `/v1${path}` : path,
        body: bodyFor(body, via),
      });
    },
  };
};

export type Lookups = ReturnType<typeof createLookups>;

const elsewhere = (model: string) =>
  new AppError('invalid_request', `The server of "${model.slice(0, 100)}" has nothing like this`);

/** A runtime that does not answer hides none of the others. */
async function askAll(
  runtimes: readonly Connection[],
  ask: (runtime: Connection) => Promise<unknown>,
): Promise<unknown[]> {
  const answers = await Promise.allSettled(runtimes.map(ask));
  return answers.flatMap((answer, i) => {
    if (answer.status === 'fulfilled') return [answer.value];
    log.warn('runtime does not answer', { id: runtimes[i]?.id, error: answer.reason });
    return [];
  });
}

/** Clients decide by it what they may use, so the oldest runtime counts. False when there is none. */
function lowestOf(answers: readonly unknown[]): string | false {
  const versions = answers.flatMap((answer) => stringAt(answer, 'version') ?? []);
  return versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))[0] ?? false;
}
