import * as z from 'zod';
import type { Connection } from '../../shared/connections/connection.ts';
import { listUpstream } from '../../shared/connections/upstream-list.ts';
import { log } from '../../shared/log.ts';
import type { Outbound } from '../../shared/net/outbound.ts';
import type { Verification } from './connections.ts';

const LARGEST_ANSWER = 4 * 1024 * 1024;
const Version = z.object({ version: z.string() });

export interface AskParts {
  readonly outbound: Outbound;
  readonly timeoutMs: number;
}

/** Questions to an upstream beside completions. */
export const createAsk = ({ outbound, timeoutMs }: AskParts) => ({
  async verify(connection: Connection, headers: Record<string, string>): Promise<Verification> {
    const models = await listUpstream({ connection, headers, outbound, timeoutMs });
    return {
      models: models.map(({ id }) => id),
      version: await versionOf(connection, headers, { outbound, timeoutMs }),
    };
  },
  /** A runtime that does not tell leaves the facts unknown; the model can be used all the same. */
  async show(connection: Connection, headers: Record<string, string>, model: string): Promise<unknown> {
    try {
      const response = await outbound.request(`${connection.url}/api/show`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ model }),
        timeoutMs,
        trusted: true,
        replayable: true,
      });
      return response.status === 200 ? await response.json(LARGEST_ANSWER) : response.close();
    } catch (error) {
      log.warn('runtime does not describe its model', { id: connection.id, error });
      return undefined;
    }
  },
});

async function versionOf(
  { kind, url }: Connection,
  headers: Record<string, string>,
  { outbound, timeoutMs }: AskParts,
) {
  if (kind !== 'runtime') return null;
  const response = await outbound.request(`${url}/api/version`, { headers, timeoutMs, trusted: true });
  return Version.safeParse(await response.json(LARGEST_ANSWER)).data?.version ?? null;
}
