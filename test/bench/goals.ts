/** An upper limit for a measured number. */
export interface Goal {
  readonly name: string;
  readonly limit: number;
  readonly measured: number;
}

/** Number of decimals to which goals are printed and compared. */
const DECIMALS = 2;

/** Formats a number for people, such as `0.7` or `30,000`. */
export const formatNumber = (number: number): string =>
  number.toLocaleString('en', { maximumFractionDigits: DECIMALS });

/** Compares what the table shows: 0.754 meets a limit of 0.75. */
export const isGoalMet = ({ limit, measured }: Goal): boolean =>
  Number(measured.toFixed(DECIMALS)) <= limit;

export const createGoalRow = (goal: Goal): string[] => [
  goal.name,
  `≤ ${formatNumber(goal.limit)}`,
  formatNumber(goal.measured),
  isGoalMet(goal) ? 'met' : '**missed**',
];
