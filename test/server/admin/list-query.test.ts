import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextSealer } from '../../../src/server/admin/access/sealed-text.ts';
import {
  buildListUrl,
  listPeriodChoices,
  parseListQuery,
  resolvePeriod,
} from '../../../src/server/admin/read-models/list-query.ts';

const TIME = { now: Date.UTC(2026, 10, 24, 23, 30), timeZone: 'Europe/Berlin' };
const NO_DAYS = { from: '', to: '' };

test('resolves each named period in the time zone of the organization', () => {
  const resolve = (value: string): string[] => {
    const { from, to } = resolvePeriod(value, NO_DAYS, TIME)!;
    return [from, to].map((time) => new Date(time).toISOString());
  };
  // It is already November 25, a Wednesday, in Berlin.
  assert.deepEqual(resolve('today'), ['2026-11-24T23:00:00.000Z', '2026-11-25T23:00:00.000Z']);
  assert.deepEqual(resolve('week'), ['2026-11-22T23:00:00.000Z', '2026-11-25T23:00:00.000Z']);
  assert.deepEqual(resolve('month'), resolve('2026-11'));
  assert.deepEqual(resolve('2026-10'), ['2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z']);
  assert.deepEqual(resolve('2025'), ['2024-12-31T23:00:00.000Z', '2025-12-31T23:00:00.000Z']);
  const choices = listPeriodChoices(TIME.now, TIME.timeZone);
  for (const [value] of choices) assert.ok(resolvePeriod(value, NO_DAYS, TIME), value);
  assert.deepEqual(
    choices.filter(([, label]) => label === 'October 2026' || label === '2026'),
    [
      ['2026-10', 'October 2026'],
      ['2026', '2026'],
    ],
  );
});

test('shows all times, with a reason, if the days are wrong or the period is unknown', () => {
  for (const parameters of [
    { period: 'days', from: '2026-02-30', to: '2026-03-01' },
    { period: 'days', from: '2026-03-02', to: '2026-03-01' },
    { period: '2026-13' },
    { period: 'soon' },
  ] as Record<string, string>[]) {
    const { period, problem } = parseListQuery(parameters, TIME);
    assert.deepEqual(period, { from: 0, to: Number.MAX_SAFE_INTEGER });
    assert.match(problem!, /Choose a last day on or after the first day/);
  }
  const { period, problem } = parseListQuery({ period: 'days', to: '2026-03-01' }, TIME);
  assert.deepEqual(
    [period.from, new Date(period.to).toISOString(), problem],
    [0, '2026-03-01T23:00:00.000Z', undefined],
  );
});

test('ignores unknown filters and positions, and builds URLs that lead to the same list', () => {
  const { filter, after } = parseListQuery(
    { status: 'x', method: '1', platform: 'maybe', frequency: '', after: "1_'" },
    TIME,
  );
  assert.deepEqual(
    [Object.values(filter).filter((value) => value !== undefined), after],
    [[], undefined],
  );
  const position = { time: 1_700_000_000_000, reference: '7K4M9-QXD2P-2' };
  const url = buildListUrl('/donations', { status: 'promised', platform: 'no' }, position);
  const query = parseListQuery(Object.fromEntries(new URL(url, 'http://x').searchParams), TIME);
  assert.deepEqual(
    [query.filter.status, query.filter.isOnPlatform, query.after],
    ['promised', false, position],
  );
});

test('opens sealed text only with the same key and organization, and seals it differently each time', () => {
  const sealer = new TextSealer('key');
  const sealed = sealer.sealText('Zoë García', 'lanternwell');
  assert.equal(new TextSealer('key').openText(sealed, 'lanternwell'), 'Zoë García');
  assert.equal(sealer.openText(sealed, 'other'), undefined);
  assert.notEqual(sealer.sealText('Zoë García', 'lanternwell'), sealed);
  const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
  for (const [other, text] of [
    [new TextSealer('other'), sealed],
    [sealer, changed],
    [sealer, ''],
    [sealer, 'x'],
  ] as const)
    assert.equal(other.openText(text, 'lanternwell'), undefined);
});
