import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { call } from '../support/call.ts';
import type { Scripted } from '../support/model-server/script.ts';
import type { ChatBody } from '../support/model-server/chat.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { anOperator } from '../support/people.ts';

/** Real model servers that say what a test has written for them. */
export interface ScriptedModels {
  /** The id of a model that is sent with these knobs, from a chat-completions server or from a runtime. */
  chat(knobs?: string): string;
  runtime(knobs?: string): string;
  /** A question that is answered by these turns, one for each time the model is asked. */
  question(turns: readonly Turn[]): string;
  /** What the server was asked for that question. */
  asked(question: string): Asked[];
}

export type Turn = Scripted | ((body: Asked) => Scripted);

// oxlint-disable-next-line typescript/no-explicit-any -- tests assert on whatever was sent
export type Asked = Record<string, any>;

const KNOBS = ['', '+bytes', '+crlf', '+lump', '+whole', '+unended', '+slow', '+stall'];
const MODELS = KNOBS.map((knobs) => `scripted${knobs}`);

export function useScriptedModels(hostUrl: () => string | undefined = () => undefined): ScriptedModels {
  const prefix = randomUUID().slice(0, 8);
  const scripts = new Map<string, readonly Turn[]>();
  const connections: string[] = [];
  let server: ModelServer | undefined;
  let operator: { readonly token: string } | undefined;
  beforeAll(async () => {
    const own = (server = await startModelServer({ models: MODELS, script: (body) => turnFor(body, scripts) }));
    const by = (operator = await anOperator());
    for (const connection of [
      { kind: 'compat', url: own.compatUrl, prefix_id: `c${prefix}`, model_ids: MODELS },
      { kind: 'runtime', url: own.url, prefix_id: `r${prefix}`, model_ids: MODELS },
    ]) {
      const { status, body } = await call('POST /api/v1/connections', connection, { ...by, url: hostUrl() });
      if (status !== 200) throw new Error(`The connection was refused: ${JSON.stringify(body)}`);
      connections.push(String(body.id));
    }
  });
  afterAll(async () => {
    for (const id of connections) await call(`DELETE /api/v1/connections/${id}`, undefined, operator);
    await server?.stop();
  });
  return {
    chat: (knobs = '') => `c${prefix}.scripted${knobs}`,
    runtime: (knobs = '') => `r${prefix}.scripted${knobs}`,
    question(turns) {
      const name = `question-${randomUUID()}`;
      scripts.set(name, turns);
      return name;
    },
    asked: (question) =>
      (server?.received ?? []).map(({ body }): Asked => body).filter((body) => questionIn(body).includes(question)),
  };
}

const questionIn = ({ messages = [] }: Pick<ChatBody, 'messages'>): string =>
  JSON.stringify(messages.findLast(({ role, content }) => role === 'user' && /question-/.test(textOf(content))) ?? '');

const textOf = (content: unknown) => JSON.stringify(content ?? '');

/** Which turn it is follows from how often the model has called something since the question. */
function turnFor(body: ChatBody, scripts: ReadonlyMap<string, readonly Turn[]>): Scripted | undefined {
  const [name = ''] = /question-[\da-f-]{36}/.exec(questionIn(body)) ?? [];
  const turns = scripts.get(name);
  const rounds = (body.messages ?? []).filter((message) => 'tool_calls' in message).length;
  const turn = turns?.[Math.min(rounds, turns.length - 1)];
  return typeof turn === 'function' ? turn({ ...body }) : turn;
}
