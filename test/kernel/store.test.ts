import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import '../support/host.ts';
import { localBucketName } from '../../infra/local/objects.ts';
import { createBucket } from '../../shared/aws/s3.ts';
import { batchGet } from '../../shared/store/batch.ts';
import { batchWrite } from '../../shared/store/batch-write.ts';
import { decodeCursor } from '../../shared/store/cursor.ts';
import { ConditionFailed } from '../../shared/store/dynamodb.ts';
import { absent, present, unchanged, when } from '../../shared/store/expression.ts';
import { createSpill } from '../../shared/store/spill.ts';
import { openTable } from '../../shared/store/table.ts';
import { checking, deleting, putting, transact, updating } from '../../shared/store/transaction.ts';

const table = openTable('settings');
const aKey = () => ({ pk: `TEST#${randomUUID()}`, sk: 'A' });

describe('single rows', () => {
  test('what was put is read back, undefined fields are left out', async () => {
    const key = aKey();
    await table.put({ ...key, text: 'grüß', list: [1, { a: true }], nothing: undefined, empty: null });
    expect(await table.get(key)).toEqual({ ...key, text: 'grüß', list: [1, { a: true }], empty: null });
  });

  test('a condition that fails carries the row that stood in the way', async () => {
    const key = aKey();
    await table.put({ ...key, owner: 'alice' }, absent);
    const failure = await table.put({ ...key, owner: 'bob' }, absent).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConditionFailed);
    expect((failure as ConditionFailed).existing).toMatchObject({ owner: 'alice' });
  });

  test('a change sets, counts, appends and removes in one write, reserved words included', async () => {
    const key = aKey();
    await table.put({ ...key, status: 'old', size: 1, dropped: true });
    const after = await table.update(
      key,
      {
        set: { status: 'new' },
        setOnce: { size: 9, name: 'first' },
        add: { count: 2 },
        append: { list: ['x'] },
        remove: ['dropped'],
      },
      present,
    );
    expect(after).toEqual({ ...key, status: 'new', size: 1, name: 'first', count: 2, list: ['x'] });
  });

  test('a swap answers with what the changed attributes held before, whatever their names', async () => {
    const key = aKey();
    await table.put({ ...key, 'token/s': 1, kept: 'yes', 'a-b': 'old' });
    const before = await table.swap(key, { set: { 'token/s': 2, 'ü b': 1 }, remove: ['a-b'] }, present);
    expect(before).toEqual({ 'token/s': 1, 'a-b': 'old' });
    expect(await table.get(key)).toEqual({ ...key, 'token/s': 2, 'ü b': 1, kept: 'yes' });
  });

  test('of twenty writers with the same version exactly one wins', async () => {
    const key = aKey();
    await table.put({ ...key, version: 1 });
    const attempts = Array.from({ length: 20 }, (_, n) =>
      table.update(key, { set: { version: 2, winner: n } }, unchanged(1)),
    );
    const results = await Promise.allSettled(attempts);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  test('deleting answers with what was there', async () => {
    const key = aKey();
    await table.put({ ...key, n: 1 });
    expect(await table.delete(key, when('#n = :n', { n: 1 }))).toMatchObject({ n: 1 });
    expect(await table.delete(key)).toBeUndefined();
  });
});

describe('pages', () => {
  test('a cursor continues where the page ended, in both directions', async () => {
    const { pk } = aKey();
    await Promise.all(Array.from({ length: 7 }, (_, n) => table.put({ pk, sk: `ROW#${n}`, n })));
    await table.put({ pk, sk: 'OTHER' });
    const first = await table.query({ pk, prefix: 'ROW#', limit: 4 });
    const second = await table.query({ pk, prefix: 'ROW#', limit: 4, cursor: first.cursor });
    expect([...first.rows, ...second.rows].map((row) => row['n'])).toEqual([0, 1, 2, 3, 4, 5, 6]);
    const newest = await table.query({ pk, prefix: 'ROW#', limit: 2, newestFirst: true });
    expect(newest.rows.map((row) => row['n'])).toEqual([6, 5]);
    const walked = await Array.fromAsync(table.walk({ pk, prefix: 'ROW#', limit: 2 }));
    expect(walked).toHaveLength(7);
  });

  test.each(['', 'nonsense', Buffer.from('[1]').toString('base64url'), Buffer.from('{"pk":1}').toString('base64url')])(
    'the cursor %j is refused',
    (cursor) => {
      expect(() => decodeCursor(cursor)).toThrow('cursor');
    },
  );
});

describe('transactions', () => {
  test('all rows or none, and the label tells which condition failed', async () => {
    const [a, b, c] = [aKey(), aKey(), aKey()];
    await table.put({ ...b, count: 0 });
    const operations = [
      putting('first', table, { ...a }, absent),
      updating('counter', table, b, { add: { count: 1 }, if: when('#count < :max', { max: 0 }) }),
      deleting('third', table, c),
    ];
    await expect(transact(operations)).rejects.toMatchObject({
      name: 'ConditionFailed',
      what: 'counter',
      existing: { count: 0 },
    });
    expect(await table.get(a)).toBeUndefined();
  });

  test('twenty transactions on the same row all go through', async () => {
    const key = aKey();
    await table.put({ ...key, count: 0 });
    const once = () =>
      transact([updating('counter', table, key, { add: { count: 1 } }), putting('trace', table, aKey(), absent)]);
    await Promise.all(Array.from({ length: 20 }, once));
    expect(await table.get(key)).toMatchObject({ count: 20 });
    await expect(transact([checking('gone', table, aKey(), present)])).rejects.toMatchObject({ what: 'gone' });
  });
});

test('many rows come back in the order asked, with gaps where there is nothing', async () => {
  const keys = Array.from({ length: 130 }, aKey);
  await Promise.all(keys.flatMap((key, n) => (n % 2 === 0 ? [table.put({ ...key, n })] : [])));
  const rows = await batchGet([...keys, keys[0]!].map((key) => ({ table, key })));
  expect(rows.slice(0, 130).map((row) => row?.['n'])).toEqual(keys.map((_, n) => (n % 2 === 0 ? n : undefined)));
  expect(rows[130]).toMatchObject({ n: 0 });
});

test('a value too large for a row is kept as an object and read back the same', async () => {
  const spill = createSpill();
  const large = { text: 'ü'.repeat(400_000) };
  const stored = await spill.pack(`test/${randomUUID()}`, large);
  expect(stored).toMatchObject({ bytes: expect.any(Number) });
  expect(await spill.unpack(stored)).toEqual(large);
  await spill.drop(stored);
  await expect(spill.unpack(stored)).rejects.toThrow('missing');
  expect(await spill.pack('unused', { small: 1 })).toEqual({ inline: { small: 1 } });
});

describe('many rows', () => {
  test('rows beyond one call are all written and all removed', async () => {
    const { pk } = aKey();
    const rows = Array.from({ length: 60 }, (_, n) => ({ pk, sk: `R#${String(n).padStart(2, '0')}`, n }));
    await batchWrite(
      table,
      rows.map((put) => ({ put })),
    );
    expect((await table.query({ pk })).rows).toHaveLength(60);
    await batchWrite(
      table,
      rows.slice(1).map((remove) => ({ remove })),
    );
    expect((await table.query({ pk })).rows).toEqual([rows[0]]);
  });
});

describe('objects', () => {
  test('are listed by prefix, with names that XML must escape', async () => {
    const bucket = createBucket(localBucketName('content'));
    const folder = randomUUID();
    const keys = [`${folder}/a & b`, `${folder}/c<d>'"`, `${folder}/é`];
    for (const key of keys) await bucket.put(key, 'x');
    await bucket.put(`${randomUUID()}/other`, 'x');
    expect((await Array.fromAsync(bucket.list(`${folder}/`))).toSorted()).toEqual(keys.toSorted());
  });
});
