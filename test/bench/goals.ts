import { renderTable } from '../load/report.ts';

/** A limit for a measured number. */
export interface Goal {
  readonly name: string;
  readonly limit: number;
  readonly measured: number;
  /** True if the number must be at least the limit. By default, it must be at most the limit. */
  readonly isMinimum?: boolean;
}

/** Rounds a number as the tables show it: to two decimals, or to an integer from 100 on. */
const round = (number: number): number => Number(number.toFixed(Math.abs(number) < 100 ? 2 : 0));

/** Formats a number for people, such as `0.7` or `30,000`. */
export const formatNumber = (number: number): string => round(number).toLocaleString('en');

/** Compares what the table shows: 0.754 meets a limit of at most 0.75. */
export const isGoalMet = ({ limit, measured, isMinimum = false }: Goal): boolean =>
  isMinimum ? round(measured) >= limit : round(measured) <= limit;

export const createGoalRow = (goal: Goal): string[] => [
  goal.name,
  `${goal.isMinimum === true ? '≥' : '≤'} ${formatNumber(goal.limit)}`,
  formatNumber(goal.measured),
  isGoalMet(goal) ? 'met' : '**missed**',
];

export const renderGoals = (goals: readonly Goal[]): string =>
  renderTable([['goal', 'limit', 'measured', ''], ...goals.map(createGoalRow)]);
