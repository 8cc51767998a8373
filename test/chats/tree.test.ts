import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currentOf, leafBelow, removeMessage, threadOf, toTree, type Link } from '../../shared/chat/tree.ts';

const link = (id: string, parentId: string | null, childrenIds: string[] = [], timestamp = 1): Link => ({
  id,
  parentId,
  childrenIds,
  timestamp,
  modelIdx: 0,
});

const IDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

const links = fc.uniqueArray(fc.constantFrom(...IDS), { minLength: 1 }).chain((ids) =>
  fc.tuple(
    ...ids.map((id) =>
      fc.record<Link>({
        id: fc.constant(id),
        parentId: fc.option(fc.constantFrom(...IDS, 'missing'), { nil: null }),
        childrenIds: fc.array(fc.constantFrom(...IDS, 'missing'), { maxLength: 4 }),
        timestamp: fc.integer({ min: 0, max: 3 }),
        modelIdx: fc.integer({ min: 0, max: 2 }),
      }),
    ),
  ),
);

describe('a tree from whatever was saved', () => {
  test('parents and children agree, everything is reachable, nothing loops', () => {
    fc.assert(
      fc.property(links, (given) => {
        const tree = toTree(given);
        expect([...tree.keys()].toSorted()).toEqual(given.map(({ id }) => id).toSorted());
        for (const [id, { parentId, childrenIds }] of tree) {
          if (parentId !== null) expect(tree.get(parentId)?.childrenIds).toContain(id);
          expect(new Set(childrenIds).size).toBe(childrenIds.length);
          for (const child of childrenIds) expect(tree.get(child)?.parentId).toBe(id);
          expect(threadOf(tree, id).length).toBeLessThanOrEqual(tree.size);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('a parent that exists is believed unless that would close a circle', () => {
    fc.assert(
      fc.property(links, (given) => {
        const tree = toTree(given);
        const ids = new Set(given.map(({ id }) => id));
        const changed = given.filter(
          ({ id, parentId }) =>
            parentId !== null && parentId !== id && ids.has(parentId) && tree.get(id)?.parentId !== parentId,
        );
        for (const { id } of changed) expect(tree.get(id)?.parentId).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  test('the order in which messages were saved does not matter', () => {
    fc.assert(
      fc.property(links, (given) => {
        expect([...toTree(given.toReversed())]).toEqual([...toTree(given)]);
      }),
    );
  });

  test('children keep the order in which their parent lists them; others follow by age', () => {
    const tree = toTree([
      link('p', null, ['b', 'a']),
      link('a', 'p', [], 2),
      link('b', 'p', [], 3),
      link('d', 'p', [], 9),
      link('c', 'p', [], 4),
    ]);
    expect(tree.get('p')?.childrenIds).toEqual(['b', 'a', 'c', 'd']);
  });

  test('a message without a parent is adopted by the one that lists it', () => {
    const tree = toTree([link('p', null, ['c']), link('c', null)]);
    expect(tree.get('c')?.parentId).toBe('p');
    expect(toTree([link('p', null, ['c', 'missing']), link('c', 'lost')]).get('p')?.childrenIds).toEqual(['c']);
  });
});

describe('the active thread', () => {
  const tree = toTree([link('a', null, [], 1), link('b', 'a', [], 2), link('c', 'a', [], 3), link('d', 'b', [], 4)]);

  test('ends where the caller says, or at the newest leaf', () => {
    expect(currentOf(tree, 'b')).toBe('b');
    expect(currentOf(tree, 'gone')).toBe('d');
    expect(currentOf(new Map(), 'gone')).toBeNull();
    expect(threadOf(tree, 'd')).toEqual(['a', 'b', 'd']);
    expect(threadOf(tree, null)).toEqual([]);
  });

  test('goes on at the newest branch', () => {
    expect(leafBelow(tree, 'a')).toBe('c');
    expect(leafBelow(tree, null)).toBeNull();
  });

  test('removing a message takes its children along and moves their children up', () => {
    expect(removeMessage(tree, 'a')).toEqual({ removed: ['a', 'b', 'c'], moved: [{ id: 'd', parentId: null }] });
    expect(removeMessage(tree, 'b')).toEqual({ removed: ['b', 'd'], moved: [] });
    expect(removeMessage(tree, 'gone')).toEqual({ removed: [], moved: [] });
  });
});
