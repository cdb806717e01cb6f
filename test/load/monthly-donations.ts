/**
 * Bar 27: simulates two years of monthly donations in which calls and webhooks fail, the platform is
 * down for some days, and the server restarts.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Bar, createCountFigure, createZeroFigure, type Figure } from './figure.ts';
import { auditMonthlyDonations, sumField } from './monthly-audit.ts';
import type { MonthlyOptions, MonthlyResult } from './monthly-simulation.ts';

const SEED = 27;
/** Each thread simulates a server with its own donors. */
const THREADS = 2;
const DONORS = 1_000;
const MONTHS = 24;

async function simulateInThread(options: MonthlyOptions): Promise<MonthlyResult> {
  const worker = new Worker(new URL('monthly-thread.ts', import.meta.url), { workerData: options });
  const [result] = (await once(worker, 'message')) as [MonthlyResult];
  return result;
}

/** Lists the figures of the bar. */
export function toFigures({ sums, counts, unfinishedRows, differences }: MonthlyResult): Figure[] {
  return [
    ...auditMonthlyDonations(sums),
    createZeroFigure('rows that need review or are not final', unfinishedRows),
    createZeroFigure('differences that reconcile lists', differences),
    createCountFigure('payments', sumField(sums.stripe, 'payments')),
    ...[...counts].map(([label, count]) => createCountFigure(label, count)),
  ];
}

function mergeResults(results: readonly MonthlyResult[]): MonthlyResult {
  const mergeSums = (name: keyof MonthlyResult['sums']) =>
    new Map(results.flatMap(({ sums }) => [...sums[name]]));
  const counts = new Map<string, number>();
  for (const [label, count] of results.flatMap((result) => [...result.counts]))
    counts.set(label, (counts.get(label) ?? 0) + count);
  return {
    sums: {
      stripe: mergeSums('stripe'),
      database: mergeSums('database'),
      platform: mergeSums('platform'),
    },
    counts,
    unfinishedRows: results.reduce((sum, { unfinishedRows }) => sum + unfinishedRows, 0),
    differences: results.reduce((sum, { differences }) => sum + differences, 0),
  };
}

export const bars: readonly Bar[] = [
  {
    number: 27,
    description: `${DONORS.toLocaleString('en')} monthly donations run for ${MONTHS} months, half on each of ${THREADS} servers; webhooks are late, repeated, reordered, or lost (3%, and all for two days in every fourth month); 2% of calls fail; the platform is down for three days in every third month; every month, each server restarts twice, and \`reconcile --apply\` runs once`,
    run: async () =>
      toFigures(
        mergeResults(
          await Promise.all(
            Array.from({ length: THREADS }, (_, index) =>
              simulateInThread({ donors: DONORS / THREADS, months: MONTHS, seed: SEED + index }),
            ),
          ),
        ),
      ),
  },
];
