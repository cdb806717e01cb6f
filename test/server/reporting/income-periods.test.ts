import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calculateIncomePeriods } from '../../../src/server/reporting/income-periods.ts';

const HOUR = 3_600_000;
const toIso = (time: number): string => new Date(time).toISOString();

test('ends the previous period as late as the current one, or with its own end', () => {
  const now = Date.UTC(2026, 2, 31, 10);
  const { month, week, today } = calculateIncomePeriods(now, 'Europe/Berlin');
  assert.deepEqual(
    [month.previous.from, month.previous.to, month.current.from].map(toIso),
    // February has no 31st, and Berlin’s clocks went forward on March 29.
    ['2026-01-31T23:00:00.000Z', '2026-02-28T11:00:00.001Z', '2026-02-28T23:00:00.000Z'],
  );
  assert.deepEqual([week.previous.from, week.previous.to, week.current.from].map(toIso), [
    '2026-03-22T23:00:00.000Z',
    '2026-03-24T11:00:00.001Z',
    '2026-03-29T22:00:00.000Z',
  ]);
  assert.deepEqual([today.current.from, today.current.to], [now - 12 * HOUR, now + 1]);
});

test('divides the time into days of the time zone, also when clocks change, without gaps', () => {
  const { days, boundaries } = calculateIncomePeriods(Date.UTC(2026, 3, 10, 10), 'Europe/Berlin');
  assert.equal(days.length, 30);
  assert.deepEqual([days[0]!.date, days.at(-1)!.date], ['2026-03-12', '2026-04-10']);
  const changed = days.find(({ date }) => date === '2026-03-29')!;
  assert.equal(changed.to - changed.from, 23 * HOUR);
  for (const [index, { from, to }] of days.entries()) {
    assert.ok(boundaries.includes(from) && boundaries.includes(to));
    assert.ok(index === 0 || days[index - 1]!.to === from);
  }
  for (const [index, boundary] of boundaries.entries())
    assert.ok(index === 0 || boundary - boundaries[index - 1]! <= 25 * HOUR);
});

test('starts yesterday, weeks, and months at midnight on a day without midnight', () => {
  for (const [timeZone, day, offset] of [
    ['Asia/Beirut', '2026-03-29', 2],
    ['Africa/Cairo', '2026-04-24', 2],
    ['America/Havana', '2026-03-08', -5],
    ['America/Santiago', '2026-09-06', -4],
  ] as const) {
    const { today, week, month } = calculateIncomePeriods(Date.parse(`${day}T12:00:00Z`), timeZone);
    const toLocal = (time: number): string => toIso(time + offset * HOUR).slice(0, 16);
    assert.deepEqual(
      [week.current, today.previous, week.previous, month.current].map(({ from }) =>
        toLocal(from).slice(10),
      ),
      ['T00:00', 'T00:00', 'T00:00', 'T00:00'],
      timeZone,
    );
    assert.equal(toLocal(today.current.from), `${day}T00:00`);
    assert.equal(toLocal(month.current.from), `${day.slice(0, 8)}01T00:00`);
  }
});
