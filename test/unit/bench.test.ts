import assert from 'node:assert/strict';
import { test } from 'node:test';
import { combineRuns, createGoalRow, isGoalMet } from '../bench/goals.ts';
import { Results } from '../bench/results.ts';
import { computeMedian, computeRatios, computeSpread } from '../bench/statistics.ts';
import { HAND_WRITTEN, PLAIN } from '../bench/subjects.ts';

test('the median of an even number of rounds is between the two in the middle', () => {
  assert.equal(computeMedian([9, 1, 5]), 5);
  assert.equal(computeMedian([4, 1, 3, 2]), 2.5);
  assert.equal(computeMedian([7]), 7);
});

test('the spread of rounds is their quartiles', () => {
  assert.deepEqual(computeSpread([5, 1, 4, 2, 3]), { median: 3, lower: 2, upper: 4 });
  assert.deepEqual(computeSpread([1, 2]), { median: 1.5, lower: 1.25, upper: 1.75 });
});

test('a form is compared with the baseline of the same round', () => {
  assert.deepEqual(computeRatios([10, 40], [20, 20]), [0.5, 2]);
  assert.throws(() => computeRatios([10], [20, 20]), /Cannot compare 1 rounds with 2/);
  const results = new Results();
  for (const [plain, handWritten] of [
    [10, 20],
    [90, 100],
    [30, 40],
  ] as const) {
    results.add('cpu', PLAIN, plain);
    results.add('cpu', HAND_WRITTEN, handWritten);
  }
  assert.equal(results.getMedian('cpu', PLAIN), 30);
  assert.equal(results.getRatio('cpu', PLAIN).median, 0.75);
  assert.equal(results.getRatio('cpu', HAND_WRITTEN).median, 1);
});

test('a goal is met if the printed number does not exceed its limit', () => {
  const goal = { name: 'CPU until ready', limit: 0.75, measured: 0.754 };
  assert.ok(isGoalMet(goal));
  assert.ok(!isGoalMet({ ...goal, measured: 0.756 }));
  assert.deepEqual(createGoalRow(goal), ['CPU until ready', '', '≤ 0.75', '0.75', 'met']);
  const bytes = { name: 'bytes', limit: 30_000, measured: 44_410 };
  assert.deepEqual(createGoalRow(bytes), ['bytes', '', '≤ 30,000', '44,410', '**missed**']);
  const rate = { name: 'rate', limit: 1_500, measured: 1_499.6, isMinimum: true };
  assert.deepEqual(createGoalRow(rate), ['rate', '', '≥ 1,500', '1,500', 'met']);
  assert.ok(!isGoalMet({ ...rate, measured: 1_499 }));
  const time = { name: 'time, s', limit: 5.6, floor: 'the network alone takes 4.8', measured: 5.5 };
  assert.equal(createGoalRow(time)[2], '≤ 5.6 (the network alone takes 4.8)');
  const heap = { name: 'heap, plain, ratio', limit: 2.5, measured: 3.94 };
  assert.deepEqual(createGoalRow(heap), [
    'heap, plain, ratio',
    '4.4',
    '≤ 2.5',
    '3.94',
    '**missed**',
  ]);
});

test('a goal of several runs is met if their median meets it', () => {
  const goal = { name: 'CPU until ready', limit: 0.75, measured: 0.7 };
  const [combined] = combineRuns([
    [goal],
    [{ ...goal, measured: 0.8 }],
    [{ ...goal, measured: 0.74 }],
  ]);
  assert.deepEqual(createGoalRow(combined!), [
    'CPU until ready',
    '',
    '≤ 0.75',
    '0.74 (0.7–0.8)',
    'met',
  ]);
  const [same] = combineRuns([[goal], [goal]]);
  assert.equal(createGoalRow(same!)[3], '0.7');
});
