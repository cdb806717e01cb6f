import { renderTable } from '../load/report.ts';
import { computeMedian } from './statistics.ts';

/** A limit for a measured number. */
export interface Goal {
  readonly name: string;
  readonly limit: number;
  /** Why no form can measure less, with the least number. */
  readonly floor?: string;
  /** The median of all runs. */
  readonly measured: number;
  /** What each run measured, if there were several. */
  readonly runs?: readonly number[];
  /** True if the number must be at least the limit. By default, it must be at most the limit. */
  readonly isMinimum?: boolean;
}

/** What the first release reached, in an earlier benchmark with the same baselines. */
const FIRST_RELEASE: Readonly<Record<string, string>> = {
  'ready at 4×, plain, ratio': '1.29',
  'ready at 4×, alike, ratio': '1.78',
  'CPU until ready, plain, ratio': '1.19',
  'CPU until ready, alike, ratio': '1.81',
  'requests until a donation can be sent, plain': '8',
  'bytes until a donation can be sent, plain': '33,800',
  'round trips until the form appears': '3',
  'round trips until the payment field appears': '8',
  'time until the form appears on the slow network, s': '3.2–4.1',
  'time until the payment field appears on the slow network, s': '6.1–6.6',
  'click at 4×, plain, ms': '4.4',
  'heap, plain, ratio': '4.4',
  'CPU with 50 options, plain, ratio': '1.37',
  'CPU with 500 options, plain, ratio': '2.02',
  'CPU with 10 forms, plain, ratio': '1.48',
  'donations ÷ durable inserts through the framework': '0.93–1.05',
  'donations ÷ durable inserts without HTTP': '0.60–0.76',
  'CPU time per donation, µs': '309–336',
  '99th percentile, ms': '77–103',
  'CPU time per donation with one connection, µs': '744',
  'PostgreSQL: 1 server ÷ inserts through the framework': '0.12',
  'PostgreSQL: 2 servers ÷ 1 server, on the same cores': '0.84',
  'donations recorded per second': '467',
  '304 responses ÷ the framework alone': '0.28',
  'startup of `serve`, ms': '402',
  '`donation-form --help`, ms': '238',
};

/** Rounds a number as the tables show it: to two decimals, or to an integer from 100 on. */
const round = (number: number): number => Number(number.toFixed(Math.abs(number) < 100 ? 2 : 0));

/** Formats a number for people, such as `0.7` or `30,000`. */
export const formatNumber = (number: number): string => round(number).toLocaleString('en');

/** Compares what the table shows: 0.754 meets a limit of at most 0.75. */
export const isGoalMet = ({ limit, measured, isMinimum = false }: Goal): boolean =>
  isMinimum ? round(measured) >= limit : round(measured) <= limit;

/** Combines the goals of several runs, which list the same goals in the same order. */
export function combineRuns(runs: readonly (readonly Goal[])[]): Goal[] {
  return runs[0]!.map((goal, index) => {
    const numbers = runs.map((goals) => goals[index]!.measured);
    return { ...goal, measured: computeMedian(numbers), runs: numbers };
  });
}

export const createGoalRow = (goal: Goal): string[] => [
  goal.name,
  FIRST_RELEASE[goal.name] ?? '',
  formatLimit(goal),
  formatMeasured(goal),
  isGoalMet(goal) ? 'met' : '**missed**',
];

const formatLimit = ({ isMinimum = false, limit, floor }: Goal): string =>
  `${isMinimum ? '≥' : '≤'} ${formatNumber(limit)}${floor === undefined ? '' : ` (${floor})`}`;

/** Formats the median, with the lowest and highest run if they differ. */
function formatMeasured({ measured, runs = [measured] }: Goal): string {
  const [lowest, highest] = [Math.min(...runs), Math.max(...runs)].map(formatNumber);
  return formatNumber(measured) + (lowest === highest ? '' : ` (${lowest}–${highest})`);
}

export const renderGoals = (goals: readonly Goal[]): string =>
  renderTable([['goal', 'first release', 'limit', 'measured', ''], ...goals.map(createGoalRow)]);
