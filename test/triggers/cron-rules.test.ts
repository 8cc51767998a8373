import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExpression } from '../../infra/local/aws/schedules/expression.ts';
import { demandCron, nextRuns, toScheduleExpressions } from '../../functions/triggers/cron.ts';
import { CronError, fieldText, parseCron } from '../../functions/triggers/cron-fields.ts';

const at = (iso: string) => Date.parse(iso);
const NOW = at('2026-03-01T12:00:30Z');

describe('cron expressions', () => {
  test.each([
    ['* * * * *', '* * * * *'],
    ['*/15 0 1,15 * 1-5', '0,15,30,45 0 1,15 * 1-5'],
    ['5/20 22-23 * JAN,mar sun', '5,25,45 22-23 * 1,3 0'],
    ['0 12 * * 7', '0 12 * * 0'],
    ['0 12 * * 5-7', '0 12 * * 0,5-6'],
    ['0 12 * * */2', '0 12 * * 0,2,4,6'],
    ['1,2,3,5 4 31 12 *', '1-3,5 4 31 12 *'],
  ])('%s means %s', (text, meant) => {
    const { minute, hour, dayOfMonth, month, dayOfWeek } = parseCron(text);
    expect([minute, hour, dayOfMonth, month, dayOfWeek].map(fieldText).join(' ')).toBe(meant);
  });

  test.each(['', '* * * *', '* * * * * *', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * * 13 *', '* * * * 8'])(
    '"%s" is refused',
    (text) => expect(() => parseCron(text)).toThrow(CronError),
  );
  test.each(['a * * * *', '5-1 * * * *', '*/0 * * * *', '*-5 * * * *', '1,,2 * * * *', '1.5 * * * *', '* * L * *'])(
    '"%s" is refused too',
    (text) => expect(() => parseCron(text)).toThrow(CronError),
  );

  test('what never happens and places that do not exist are refused', () => {
    expect(() => demandCron({ cron: '0 0 31 2 *', timezone: 'UTC' }, NOW)).toThrow('never happens');
    expect(() => demandCron({ cron: '* * * * *', timezone: 'Mars/Base' }, NOW)).toThrow('time zone');
    expect(() => demandCron({ cron: '0 0 29 2 *', timezone: 'Europe/Berlin' }, NOW)).not.toThrow();
  });

  test('times follow the clock of their place, through both changes of the hour', () => {
    const berlin = (cron: string, from: string, count: number) =>
      nextRuns({ cron, timezone: 'Europe/Berlin' }, at(from), count).map((time) => new Date(time).toISOString());
    expect(berlin('0 9 * * *', '2026-03-28T00:00:00Z', 2)).toEqual([
      '2026-03-28T08:00:00.000Z',
      '2026-03-29T07:00:00.000Z',
    ]);
    expect(berlin('30 2 * * *', '2026-03-28T00:00:00Z', 2)).toEqual([
      '2026-03-28T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    expect(berlin('30 2 25 10 *', '2026-10-24T00:00:00Z', 1)).toHaveLength(1);
  });

  test.each([
    ['*/30 * * * *', ['cron(0,30 * * * ? *)']],
    ['0 9 * * 1-5', ['cron(0 9 ? * 2-6 *)']],
    ['0 9 * * 0', ['cron(0 9 ? * 1 *)']],
    ['0 0 1 */3 *', ['cron(0 0 1 1,4,7,10 ? *)']],
    ['0 0 13 * 5', ['cron(0 0 13 * ? *)', 'cron(0 0 ? * 6 *)']],
  ])('%s is written %j for the scheduler', (cron, expressions) => {
    expect(toScheduleExpressions(cron)).toEqual(expressions);
  });

  const field = (min: number, max: number) =>
    fc.oneof(
      fc.constant('*'),
      fc.integer({ min, max }).map(String),
      fc.integer({ min: 2, max: 20 }).map((step) => `*/${step}`),
      fc
        .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
        .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
      fc.array(fc.integer({ min, max }), { minLength: 1, maxLength: 20 }).map((values) => values.join(',')),
    );

  test('the scheduler fires exactly at the times that are shown, for any expression', () => {
    const expression = fc.tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 7));
    const timezone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu');
    fc.assert(
      fc.property(expression, timezone, (fields, zone) => {
        const cron = fields.join(' ');
        const shown = nextRuns({ cron, timezone: zone }, NOW, 5);
        const written = toScheduleExpressions(cron);
        for (const one of written) expect(one.length).toBeLessThanOrEqual(256);
        const lists = written.map((text) => {
          const schedule = parseExpression(text, { timezone: zone, start: NOW });
          const times: number[] = [];
          for (let next = schedule.next(NOW); next !== undefined && times.length < 5; next = schedule.next(next))
            times.push(next);
          return times;
        });
        const fired = [...new Set(lists.flat())].toSorted((a, b) => a - b).slice(0, 5);
        expect(fired).toEqual(shown);
      }),
      { numRuns: 60 },
    );
  });
});
