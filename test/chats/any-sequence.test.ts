import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aUser } from '../support/people.ts';
import { aChatOf, aQuestion, aReply, byId, getChat, saveChat, type TestMessage } from './a-chat.ts';
import { call } from '../support/call.ts';

/** One save: a few messages, new or partly changed, and perhaps another current message. */
type Step =
  | { readonly kind: 'ask'; readonly under: number; readonly linked: boolean }
  | { readonly kind: 'reply'; readonly under: number; readonly linked: boolean }
  | { readonly kind: 'edit'; readonly at: number; readonly field: string; readonly value: unknown }
  | { readonly kind: 'stale children'; readonly at: number }
  | { readonly kind: 'adopt'; readonly parent: number; readonly child: number }
  | { readonly kind: 'current'; readonly at: number }
  | { readonly kind: 'field'; readonly field: string; readonly value: unknown };

const at = fc.nat(30);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('ask' as const), under: at, linked: fc.boolean() }),
    fc.record({ kind: fc.constant('reply' as const), under: at, linked: fc.boolean() }),
    fc.record({
      kind: fc.constant('edit' as const),
      at,
      field: fc.constantFrom('content', 'note', 'token/s', 'pk'),
      value: fc.string(),
    }),
    fc.record({ kind: fc.constant('stale children' as const), at }),
    fc.record({ kind: fc.constant('adopt' as const), parent: at, child: at }),
    fc.record({ kind: fc.constant('current' as const), at }),
    fc.record({
      kind: fc.constant('field' as const),
      field: fc.constantFrom('x', 'params', 'sk'),
      value: fc.json().map((text) => ({ text })),
    }),
  ),
  { minLength: 3, maxLength: 12 },
);

test('after any sequence of partial saves nothing is lost and the rules of the tree hold', async () => {
  const person = await aUser();
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const first = aQuestion('start');
      const model = {
        messages: new Map<string, TestMessage>([[first.id, first]]),
        currentId: first.id,
        fields: new Map<string, unknown>(),
      };
      const created = await call('POST /api/v1/chats/new', { chat: aChatOf([first]) }, person);
      for (const step of sequence) {
        const saved = await saveChat(person, created.body.id, apply(step, model));
        expect(saved.status, JSON.stringify(saved.body)).toBe(200);
      }
      const { chat } = (await getChat(person, created.body.id)).body;
      demandRules(chat);
      expect(chat.history.currentId).toBe(model.currentId);
      for (const [name, value] of model.fields) expect(chat[name]).toEqual(value);
      for (const [id, message] of model.messages) {
        const { childrenIds: _children, ...rest } = message;
        expect(chat.history.messages[id]).toMatchObject(rest);
      }
      expect(Object.keys(chat.history.messages)).toHaveLength(model.messages.size);
    }),
    { numRuns: 25 },
  );
}, 60_000);

interface Model {
  readonly messages: Map<string, TestMessage>;
  readonly fields: Map<string, unknown>;
  currentId: string;
}

/** What to send for a step; the model learns what should be true afterwards. */
function apply(step: Step, model: Model): Record<string, unknown> {
  const ids = [...model.messages.keys()];
  const pick = (n: number) => ids[n % ids.length] ?? '';
  switch (step.kind) {
    case 'ask':
    case 'reply': {
      const parentId = pick(step.under);
      const message = step.kind === 'ask' ? aQuestion('q', parentId) : aReply('r', parentId);
      model.messages.set(message.id, message);
      model.currentId = message.id;
      const parent = step.linked ? { [parentId]: { childrenIds: [message.id] } } : {};
      return { history: { currentId: message.id, messages: { ...byId([message]), ...parent } } };
    }
    case 'edit': {
      const id = pick(step.at);
      const message = model.messages.get(id);
      if (message) model.messages.set(id, { ...message, [step.field]: step.value });
      return { history: { messages: { [id]: { [step.field]: step.value } } } };
    }
    case 'stale children':
      return { history: { messages: { [pick(step.at)]: { childrenIds: [] } } } };
    case 'adopt':
      return { history: { messages: { [pick(step.parent)]: { childrenIds: [pick(step.child), randomUUID()] } } } };
    case 'current':
      model.currentId = pick(step.at);
      return { history: { currentId: model.currentId } };
    case 'field':
      model.fields.set(step.field, step.value);
      return { [step.field]: step.value };
  }
}

interface ReadChat {
  readonly currentId: string;
  readonly messages: TestMessage[];
  readonly history: {
    readonly currentId: string;
    readonly messages: Record<string, TestMessage & { parentId?: string | null }>;
  };
}

function demandRules({ currentId, messages, history }: ReadChat) {
  expect(history.messages).toHaveProperty([history.currentId]);
  expect(currentId).toBe(history.currentId);
  for (const [id, message] of Object.entries(history.messages)) {
    expect(message.id).toBe(id);
    expect(message['timestamp']).toSatisfy((value: number) => Number.isInteger(value) && value < 1e11);
    if (message.parentId) expect(history.messages[message.parentId]?.childrenIds).toContain(id);
    for (const child of message.childrenIds) expect(history.messages[child]?.parentId).toBe(id);
  }
  expect(messages.at(-1)).toEqual(history.messages[currentId]);
  messages.forEach((message, i) => expect(message['parentId'] ?? null).toBe(messages[i - 1]?.id ?? null));
}
