import { describe, expect, test } from 'vitest';
import { isServing, nextStatus, STATUSES, type Move, type WorkflowStatus } from '../../shared/workflow/lifecycle.ts';

/** The whole table: rows are where a workflow stands, columns what is done to it; `-` is refused. */
const TABLE = `
            edit   stage   withdraw  reject  approve    rollback  discard    unpublish  archive
  Draft     Draft  staged  -         -       -          Draft     Published  Draft      Draft
  staged    Draft  -       Draft     Draft   Published  -         -          Draft      Draft
  Published Draft  -       -         -       -          Draft     -          Draft      Draft
`;

const [head = [], ...rows] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));

const cases = rows.flatMap(([status = '', ...cells]) =>
  cells.map((cell, at) => ({ status: status as WorkflowStatus, move: head[at] as Move, cell })),
);

const attempt = (standing: Parameters<typeof nextStatus>[0], move: Move) => {
  try {
    return nextStatus(standing, move);
  } catch {
    return '-';
  }
};

describe('the lifecycle of a workflow', () => {
  test.each(cases)('$status, $move: $cell', ({ status, move, cell }) => {
    expect(attempt({ status, archived: false, hasLive: true }, move)).toBe(cell);
  });

  test('every status has its row', () => {
    expect(rows.map(([status]) => status)).toEqual([...STATUSES]);
  });

  test.each(STATUSES)('an archived workflow that was %s can only be unarchived, to Draft', (status) => {
    const standing = { status, archived: true, hasLive: true };
    expect(head.map((move) => attempt(standing, move as Move))).toEqual(head.map(() => '-'));
    expect(attempt(standing, 'unarchive')).toBe('Draft');
    expect(attempt({ ...standing, archived: false }, 'unarchive')).toBe('-');
  });

  test('what was never published cannot be unpublished, nor its draft discarded', () => {
    const standing = { status: 'Draft' as const, archived: false, hasLive: false };
    expect(attempt(standing, 'unpublish')).toBe('-');
    expect(attempt(standing, 'discard')).toBe('-');
  });

  test('a workflow serves while it has a live version and is neither paused nor archived', () => {
    const serving = { hasLive: true, paused: false, archived: false };
    expect(isServing(serving)).toBe(true);
    expect(isServing({ ...serving, hasLive: false })).toBe(false);
    expect(isServing({ ...serving, paused: true })).toBe(false);
    expect(isServing({ ...serving, archived: true })).toBe(false);
  });
});
