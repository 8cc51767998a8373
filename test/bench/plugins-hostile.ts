import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { operatorKey } from '../../shared/identity/rows.ts';
import { createTokens } from '../../shared/identity/token.ts';
import { openTable } from '../../shared/store/table.ts';
import { TEST_ENVIRONMENT } from '../support/spawn-host.ts';

/** Pipes that nobody should upload, each a model of its own, after one that costs no more than its requests do. */
export const HOSTILE = {
  'a good plugin, for comparison': 'return "fine";',
  'an endless loop': 'for (;;) {}',
  'a gigabyte of memory': 'const all = []; for (;;) all.push(new Array(100000).fill({ n: all.length }));',
  'unhandled rejections': 'for (let n = 0; n < 1000; n += 1) Promise.reject(new Error("nobody")); return "fine";',
  'process.exit': 'process.exit(1);',
  'events without end': 'return (async () => { for (;;) await context.emit({ type: "status", data: {} }); })();',
  'an answer of 64 MB': 'return "x".repeat(64 * 1024 * 1024);',
} as const;
export type Hostile = keyof typeof HOSTILE;

/** Uploads all of them and answers with their ids. */
export async function uploadHostile(url: string): Promise<Record<Hostile, string>> {
  const authorization = `Bearer ${await anOperator(url)}`;
  const post = async (path: string, body?: object) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/v1/functions/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  };
  const ids = Object.keys(HOSTILE).map((name, n) => [name, `hostile_${n}`] as const);
  for (const [name, id] of ids) {
    const content = `export const plugin = definePlugin({ pipe(body, context) { ${HOSTILE[name as Hostile]} } });`;
    await post('create', { id, content });
    await post(`id/${id}/toggle`);
  }
  return Object.fromEntries(ids) as Record<Hostile, string>;
}

async function anOperator(url: string): Promise<string> {
  const adminId = randomUUID();
  const row = { adminId, name: 'Bench', email: `${adminId}@example.test`, status: 'ACTIVE', tokenVersion: 1 };
  await openTable('admin_accounts').put({ ...operatorKey(adminId), ...row });
  const { JWT_SECRET } = TEST_ENVIRONMENT;
  const tokens = createTokens({ JWT_SECRET, JWT_SECRET_PREVIOUS: '', SVC_URL: url });
  const iat = Math.floor(Date.now() / 1000);
  return tokens.sign({ sub: adminId, acct: 'admin', org: null, jti: randomUUID(), tv: 1, iat, exp: iat + 3600 });
}

export interface Attack {
  /** How many requests were answered so far, by status. */
  readonly answered: ReadonlyMap<number, number>;
  stop(): Promise<void>;
}

/** Asks a hostile model again and again, so many times at once. */
export function attack(url: string, { model, key, times }: { model: string; key: string; times: number }): Attack {
  const leaving = new AbortController();
  const answered = new Map<number, number>();
  const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'hi' }] });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const loop = async () => {
    while (!leaving.signal.aborted) {
      const answer = await fetch(`${url}/api/chat/completions`, {
        method: 'POST',
        headers,
        body,
        signal: leaving.signal,
      });
      await answer.text();
      answered.set(answer.status, (answered.get(answer.status) ?? 0) + 1);
    }
  };
  const loops = Array.from({ length: times }, () => loop().catch(() => {}));
  return {
    answered,
    async stop() {
      leaving.abort();
      await Promise.all(loops);
      await sleep(200); // its plugins are stopped
    },
  };
}
