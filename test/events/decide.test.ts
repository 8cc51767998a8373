import { describe, expect, test } from 'vitest';
import { decide, MISSED_AFTER_MS, type Considered } from '../../functions/events/decide.ts';
import { causedByRun, fromOutside, MAX_DEPTH } from '../../shared/events/loop.ts';
import type { EventTrigger, Trigger } from '../../shared/triggers/trigger.ts';
import type { WorkflowRow } from '../../shared/workflow/workflow-row.ts';

const person = { user_id: 'u', name: 'U' };
const live = { version_id: 'v1', version: 1, published_at: 1, published_by: person };
const WORKFLOW: WorkflowRow = {
  tenant: 'user:u',
  id: 'wf_1',
  name: 'W',
  description: '',
  status: 'Published',
  archived: false,
  paused: false,
  revision: 1,
  version_counter: 1,
  live_version: live,
  graph_hash: 'h',
  catalog_id: null,
  space_id: null,
  user_id: 'u',
  org_id: null,
  review: null,
  edited_by: person,
  updated_by: person,
  created_at: 1,
  updated_at: 1,
};
const TRIGGER: EventTrigger = {
  tenant: 'user:u',
  id: 'trg_1',
  workflow_id: 'wf_1',
  name: 'T',
  enabled: true,
  event_type: 'x',
  filter_expr: null,
  concurrency: 'parallel',
  catalog_id: null,
  space_id: null,
  loop_policy: 'bounded',
  revision: 1,
  created_by: 'u',
  created_at: 1000,
  updated_at: 1000,
  type: 'event',
};
const EVENT = { published_at: 5000, depth: 0, chain: [], trigger: null };
const considered: Considered = { event: EVENT, trigger: TRIGGER, workflow: WORKFLOW, isReplay: false };

const value = (isTrue: boolean) => () => ({ kind: 'value' as const, isTrue, value: isTrue });
const outcome = (over: Partial<Considered>, filter: Parameters<typeof decide>[1] = value(true)) => {
  const decision = decide({ ...considered, ...over }, filter);
  return decision.kind === 'skip' ? decision.outcome : decision.kind;
};

describe('what an event means for a trigger', () => {
  test('starts the live version when nothing speaks against it', () => {
    expect(decide(considered, value(true))).toEqual({ kind: 'start', live });
  });

  test.each<[string, Partial<Considered>, string]>([
    ['a workflow without a published version', { workflow: { ...WORKFLOW, live_version: null } }, 'not_published'],
    ['a paused workflow', { workflow: { ...WORKFLOW, paused: true } }, 'paused'],
    ['an archived workflow', { workflow: { ...WORKFLOW, archived: true } }, 'paused'],
    ['a paused trigger', { trigger: { ...TRIGGER, enabled: false } }, 'paused'],
    ['a trigger that came a little later by another clock', { trigger: { ...TRIGGER, created_at: 5900 } }, 'start'],
    ['a trigger that came later', { trigger: { ...TRIGGER, created_at: 6001 } }, 'ignore'],
    ['a replay to a later trigger', { trigger: { ...TRIGGER, created_at: 9000 }, isReplay: true }, 'start'],
  ])('%s', (_, over, expected) => expect(outcome(over)).toBe(expected));

  test('a filter decides by its truth, and one that raises fires nothing', () => {
    const trigger = { ...TRIGGER, filter_expr: 'x' };
    expect(outcome({ trigger }, value(true))).toBe('start');
    expect(outcome({ trigger }, value(false))).toBe('skipped_filter');
    expect(outcome({ trigger }, () => ({ kind: 'error', message: 'KeyError' }))).toBe('filter_error');
  });

  test.each<[Trigger['loop_policy'], chain: string[], string]>([
    ['bounded', ['wf_1'], 'start'],
    ['avoid', ['wf_2'], 'start'],
    ['avoid', ['wf_2', 'wf_1'], 'skipped_loop'],
    ['external_only', ['wf_2'], 'skipped_loop'],
  ])('loop policy %s, after runs of %j: %s', (loop_policy, chain, expected) => {
    const event = { ...EVENT, depth: chain.length, chain };
    expect(outcome({ event, trigger: { ...TRIGGER, loop_policy } })).toBe(expected);
    expect(outcome({ trigger: { ...TRIGGER, loop_policy } })).toBe('start');
  });

  test.each<['run_once' | 'skip', late: number, string]>([
    ['run_once', MISSED_AFTER_MS + 1, 'start'],
    ['skip', MISSED_AFTER_MS, 'start'],
    ['skip', MISSED_AFTER_MS + 1, 'skipped_missed'],
  ])('missed-run policy %s, %d ms late: %s', (missed, late, expected) => {
    const trigger: Trigger = { ...TRIGGER, type: 'cron', cron: '* * * * *', timezone: 'UTC', input: 'null', missed };
    const published_at = 10_000_000;
    const event = {
      ...EVENT,
      published_at,
      trigger: { workflow_id: 'wf_1', trigger_id: 'trg_1', scheduled_for: published_at - late },
    };
    expect(outcome({ trigger, event })).toBe(expected);
  });
});

test('a chain of runs ends at its limit', () => {
  let cause = fromOutside('evt_1');
  for (let depth = 1; depth <= MAX_DEPTH; depth += 1) {
    cause = causedByRun({ ...cause, workflow_id: `wf_${depth}` });
    expect(cause).toMatchObject({ depth, root_event_id: 'evt_1' });
  }
  expect(() => causedByRun({ ...cause, workflow_id: 'wf_x' })).toThrow('may not publish another one');
});
