import { globSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OPEN } from './requirements-open.ts';
import { REQUIREMENTS } from './requirements.ts';
import type { Requirement } from './requirements/requirement.ts';
import { citationsIn } from './support/citations.ts';

const here = import.meta.dirname;
const requirements = new Map<string, Requirement>(Object.entries(REQUIREMENTS));
const open = Object.entries(OPEN).flatMap(([issue, ids]) => ids.map((id: string) => ({ issue, id })));
const openIds = new Set(open.map(({ id }) => id));
const isKnown = (id: string) => requirements.has(id);

// The samples below cite ids that do not exist, so this file does not read itself.
const files = globSync(`${here}/**/*.test.ts`).filter((path) => basename(path) !== basename(import.meta.filename));
const citations = files.map((path) => ({
  file: relative(here, path),
  ...citationsIn(readFileSync(path, 'utf8'), isKnown),
}));
const proved = new Set(citations.flatMap(({ cited }) => [...cited]));

describe('requirements', () => {
  test('every requirement is proved, listed as open, or deferred with a reason', () => {
    const lost = [...requirements].filter(([id, { deferred }]) => !deferred && !proved.has(id) && !openIds.has(id));
    expect(lost.map(([id]) => id)).toEqual([]);
    console.log(summary());
  });

  test('no test cites an id that does not exist', () => {
    const unknown = citations.flatMap(({ file, unknown: ids }) => ids.map((id) => `${file}: ${id}`));
    expect(unknown).toEqual([]);
  });

  test('an open requirement has no proof yet, so the list only shrinks', () => {
    expect([...openIds].filter((id) => proved.has(id))).toEqual([]);
  });

  test('an open requirement stands once, under its own issue', () => {
    expect(open.filter(({ id, issue }) => requirements.get(id)?.issue !== issue)).toEqual([]);
    expect(open).toHaveLength(openIds.size);
  });

  test('a deferred requirement is neither open nor proved', () => {
    const deferred = [...requirements].filter(([, requirement]) => requirement.deferred !== undefined);
    expect(deferred.filter(([id]) => openIds.has(id) || proved.has(id))).toEqual([]);
    expect(deferred.filter(([, requirement]) => requirement.deferred?.trim() === '')).toEqual([]);
  });

  test('an id is an area and a slug in kebab case, and stands in one area file only', () => {
    const written = globSync(`${here}/requirements/*.ts`).flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/^ {2}'([^']+)':/gm)].map((match) => match[1] ?? ''),
    );
    expect(written).toHaveLength(requirements.size);
    expect(written.filter((id) => !isKnown(id))).toEqual([]);
    expect(written.filter((id) => !/^[a-z][a-z0-9-]*\/[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });
});

describe('reading citations', () => {
  const known = (id: string) => id === 'cats/purr' || id === 'cats/sleep';
  const cases = [
    ['a single id', `verifies('cats/purr', 'purrs', async () => {});`, ['cats/purr'], []],
    [
      'several ids over lines',
      `verifies(\n  ["cats/purr",\n 'cats/sleep'], 'x', () => {});`,
      ['cats/purr', 'cats/sleep'],
      [],
    ],
    ['a conditional proof', `verifiesWhen(has('cat'), 'no cat', ['cats/purr'], 'x', () => {});`, ['cats/purr'], []],
    [
      'ids in a table',
      `const ROWS = [{ id: 'cats/purr' }];\nfor (const r of ROWS) verifies(r.id, 'x', () => {});`,
      ['cats/purr'],
      [],
    ],
    ['an unknown id', `verifies(['cats/purr', 'cats/bark'], 'x', () => {});`, ['cats/purr'], ['cats/bark']],
    ['a media type in a body', `verifies('cats/purr', 'x', () => send('audio/wav'));`, ['cats/purr'], []],
    ['a proof commented out', `// verifies('cats/purr', 'x', () => {});\n/* verifies('cats/sleep', 'x') */`, [], []],
    ['a comment mark in a string', `verifies('cats/purr', 'see http://x', () => {}); at('a/b');`, ['cats/purr'], []],
    ['a file that proves nothing', `test('x', () => { at('cats/purr'); });`, [], []],
  ] as const;

  test.each(cases)('%s', (_, source, cited, unknown) => {
    const found = citationsIn(source, known);
    expect([...found.cited]).toEqual(cited);
    expect(found.unknown).toEqual(unknown);
  });
});

function summary(): string {
  const areas = Map.groupBy(requirements, ([id]) => id.slice(0, id.indexOf('/')));
  const perArea = [...areas].map(([area, entries]) => {
    const ids = entries.map(([id]) => id);
    return `${area} ${ids.filter((id) => proved.has(id)).length}/${ids.filter((id) => openIds.has(id)).length}`;
  });
  const deferred = [...requirements.values()].filter((requirement) => requirement.deferred !== undefined).length;
  return `requirements proved/open: all ${proved.size}/${openIds.size}, deferred ${deferred} | ${perArea.join(', ')}`;
}
