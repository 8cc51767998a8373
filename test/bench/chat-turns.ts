import { randomUUID } from 'node:crypto';
import { spawnHost } from '../support/spawn-host.ts';
import { startMeter } from './chat-meter.ts';
import { median } from './load.ts';
import { round, table } from './report.ts';

const TURNS = 15;
const AT_ONCE = 500;

/** What one more turn costs in chats of very different length: saving question and empty reply, then the reply itself. */
export async function measureTurns(): Promise<string> {
  const engine = await spawnHost();
  const meter = await startMeter(engine.endpoints.dynamodb);
  const host = await spawnHost({ env: { AWS_ENDPOINT_URL_DYNAMODB: meter.url } });
  const post = await asSomebody(host.url);

  const rows: (string | number)[][] = [];
  for (const length of [10, 1000, 10_000]) {
    const chat = await aChat(length, post);
    const times: number[] = [];
    const units: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      meter.reset();
      const startedAt = performance.now();
      await addTurn(chat, post);
      times.push(performance.now() - startedAt);
      units.push(meter.units());
    }
    rows.push([length, round(median(times)), round(median(units), 1)]);
  }
  await host.stop();
  await meter.stop();
  await engine.stop();
  return table(['Messages in the chat', 'One more turn, ms (median)', 'Write units (median)'], rows);
}

/** Posts as a person who has just registered. */
async function asSomebody(url: string): Promise<Post> {
  const send = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    const answer = await fetch(`${url}${path}`, { ...init, body: JSON.stringify(body) });
    const value = (await answer.json()) as { id: string; token?: string };
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(value)}`);
    return value;
  };
  const person = { name: 'Bench', email: `${randomUUID()}@example.test`, password: 'correct horse battery staple' };
  await send('/api/auth/register', person);
  const { token } = await send('/api/auth/login', person);
  return (path, body, headers) => send(path, body, { authorization: `Bearer ${token}`, ...headers });
}

type Post = (path: string, body: object, headers?: Record<string, string>) => Promise<{ id: string }>;
interface Chat {
  readonly id: string;
  last: string;
}

async function aChat(length: number, post: Post): Promise<Chat> {
  const thread = aThread(length);
  const last = thread.at(-1)?.id ?? '';
  const history = { currentId: thread[0]?.id, messages: byId(thread.slice(0, 1)) };
  const { id } = await post('/api/v1/chats/new', { chat: { title: 'Bench', models: ['demo'], messages: [], history } });
  for (let at = 0; at < thread.length; at += AT_ONCE) {
    const some = thread.slice(at, at + AT_ONCE);
    const more = { currentId: some.at(-1)?.id, messages: byId(some) };
    await post(`/api/v1/chats/${id}`, { chat: { history: more } }, MINIMAL);
  }
  return { id, last };
}

/** The whole chat need not come back after each save. */
const MINIMAL = { prefer: 'return=minimal' };

async function addTurn(chat: Chat, post: Post) {
  const question = aMessage('user', chat.last);
  const answer = { ...aMessage('assistant', question.id), content: '' };
  question.childrenIds.push(answer.id);
  const links = { [chat.last]: { childrenIds: [question.id] } };
  const history = { currentId: answer.id, messages: { ...byId([question, answer]), ...links } };
  await post(`/api/v1/chats/${chat.id}`, { chat: { history } }, MINIMAL);
  const messages = [{ role: 'user', content: question.content }];
  await post('/api/chat/completions', { model: 'demo', messages, chat_id: chat.id, id: answer.id });
  chat.last = answer.id;
}

/** Questions and replies in turn, each under the one before. */
function aThread(length: number) {
  const thread = [aMessage('user', undefined)];
  for (let n = 1; n < length; n += 1) {
    const parent = thread[n - 1];
    const message = aMessage(n % 2 === 0 ? 'user' : 'assistant', parent?.id);
    parent?.childrenIds.push(message.id);
    thread.push(message);
  }
  return thread;
}

const aMessage = (role: 'user' | 'assistant', parentId: string | undefined) => ({
  id: randomUUID() as string,
  role,
  content: 'What was said before, in a sentence of ordinary length. '.repeat(3),
  timestamp: 1_700_000_000,
  childrenIds: [] as string[],
  ...(parentId && { parentId }),
  ...(role === 'user' ? { models: ['demo'] } : { model: 'demo', modelName: 'Demo', modelIdx: 0 }),
});

const byId = (messages: readonly { readonly id: string }[]) =>
  Object.fromEntries(messages.map((message) => [message.id, message]));
