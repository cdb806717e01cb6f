import { renderTable } from '../report.ts';

/** A goal with the measured value. */
export interface Goal {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  /** True if the value must be at least the limit, false if at most. */
  readonly isMinimum: boolean;
  /** Decimals with which the value is printed. */
  readonly decimals: number;
}

/** A measured part of the server: its tables, and the goals for it. */
export interface BenchResult {
  readonly text: string;
  readonly goals: readonly Goal[];
}

/** Creates a goal for a ratio, which must be at least the limit. */
export const createRatioGoal = (name: string, value: number, limit: number): Goal => ({
  name,
  value,
  limit,
  isMinimum: true,
  decimals: 2,
});

/** Creates a goal for a rate, which must be at least the limit. */
export const createRateGoal = (name: string, value: number, limit: number): Goal => ({
  name,
  value,
  limit,
  isMinimum: true,
  decimals: 0,
});

/** Creates a goal for a time, which must be at most the limit. */
export const createTimeGoal = (name: string, value: number, limit: number): Goal => ({
  name,
  value,
  limit,
  isMinimum: false,
  decimals: 0,
});

export const isGoalMet = ({ value, limit, isMinimum }: Goal): boolean =>
  isMinimum ? value >= limit : value <= limit;

export function renderGoals(goals: readonly Goal[]): string {
  return renderTable([
    ['goal', 'limit', 'measured', ''],
    ...goals.map((goal) => [
      goal.name,
      `${goal.isMinimum ? '≥' : '≤'} ${goal.limit.toLocaleString('en')}`,
      goal.value.toLocaleString('en', {
        minimumFractionDigits: goal.decimals,
        maximumFractionDigits: goal.decimals,
      }),
      isGoalMet(goal) ? 'met' : '**missed**',
    ]),
  ]);
}
