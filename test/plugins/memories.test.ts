import { describe, expect, test } from 'vitest';
import { openTable } from '../../shared/store/table.ts';
import { addMemory, listMemories, removeMemory } from '../../shared/tools/memories.ts';
import { call } from '../support/call.ts';
import { aUser } from '../support/people.ts';

const many = <T>(count: number, run: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => run(n)));

const chats = openTable('chats');
/** The first slots, as adding would leave them. */
const fill = (userId: string, count: number, content = 'known') =>
  many(count, async (n) => {
    const row = { id: `m${n}`, content, created_at: 1, updated_at: 1, at: 1000 + n };
    await chats.put({ pk: `MEMORY#${userId}`, sk: `SLOT#${String(n).padStart(3, '0')}`, ...row });
  });

describe('memories', () => {
  test('are at most 200, however many are added at once', async () => {
    const { userId, token } = await aUser();
    await fill(userId, 195);
    const answers = await many(100, (n) => call('POST /api/v1/memories/add', { content: `new ${n}` }, { token }));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(95);
    expect((await call('GET /api/v1/memories', undefined, { token })).body).toHaveLength(200);
  });

  test('make room when they are deleted, once however often', async () => {
    const { userId } = await aUser();
    await fill(userId, 200);
    await expect(addMemory(userId, 'too many')).rejects.toThrow('More than 200');
    const removed = await many(5, () => removeMemory(userId, 'm7'));
    expect(removed.filter(Boolean)).toHaveLength(1);
    await addMemory(userId, 'the latest');
    expect((await listMemories(userId)).at(-1)).toMatchObject({ content: 'the latest' });
  });

  test('are all there when each is as long as can be', async () => {
    const { userId } = await aUser();
    await fill(userId, 200, '語'.repeat(2000));
    expect(await listMemories(userId)).toHaveLength(200);
  });
});
