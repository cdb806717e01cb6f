import { describeMachine, renderTable } from '../load/report.ts';
import { combineRuns, formatNumber, type Goal, renderGoals } from './goals.ts';
import type { Delivery } from './measure-delivery.ts';
import { computeLeastFieldTime, type NetworkReport } from './measure-network.ts';
import type { Measure, Results } from './results.ts';
import type { Spread } from './statistics.ts';
import {
  ADYEN,
  ALIKE,
  HAND_WRITTEN,
  LARGE_SIZE_NAMES,
  PLAIN,
  PREACT,
  type Subject,
  SUBJECTS,
  TUNED_LIT,
} from './subjects.ts';

export interface Report {
  readonly rounds: number;
  readonly results: Results;
  readonly deliveries: ReadonlyMap<Subject, Delivery>;
  readonly network: NetworkReport;
}

/** CPU times in milliseconds, and ratios, in an earlier benchmark of the same baselines. */
const EARLIER_NUMBERS = [
  { subject: HAND_WRITTEN, cpuTime: 33, cpu: 1, ready: 1 },
  { subject: TUNED_LIT, cpuTime: 17.7, cpu: 0.53, ready: 0.71 },
  { subject: PREACT, cpuTime: 36.8, cpu: 1.12, ready: 1.01 },
  { subject: ADYEN, cpuTime: 57.3, cpu: 1.7, ready: 1.72 },
] as const;

/** The page, our script, Stripe.js with our second script, and Stripe's frame. */
const FIELD_ROUND_TRIPS = 4;

/** Lists the goals for this project's forms. */
export function listGoals({ results, deliveries, network }: Report): Goal[] {
  const createRatio = (name: string, measure: Measure, subject: Subject, limit: number): Goal => ({
    name: `${name}, ratio`,
    limit,
    measured: results.getRatio(measure, subject).median,
  });
  const createClick = (name: string, subject: Subject): Goal => ({
    name: `${name}, ms`,
    limit: 2.5,
    measured: results.getMedian('click', subject),
  });
  const { requests, bytes } = deliveries.get(PLAIN)!;
  const leastFieldTime = computeLeastFieldTime(FIELD_ROUND_TRIPS, bytes) / 1_000;
  return [
    createRatio('ready at 4×, plain', 'ready', PLAIN, 0.75),
    createRatio('ready at 4×, alike', 'ready', ALIKE, 1),
    createRatio('CPU until ready, plain', 'cpu', PLAIN, 0.7),
    createRatio('CPU until ready, alike', 'cpu', ALIKE, 1),
    { name: 'requests until a donation can be sent, plain', limit: 4, measured: requests },
    { name: 'bytes until a donation can be sent, plain', limit: 34_000, measured: bytes },
    { name: 'round trips until the form appears', limit: 2, measured: network.roundTrips.form },
    {
      name: 'round trips until the payment field appears',
      limit: FIELD_ROUND_TRIPS,
      measured: network.roundTrips.paymentField,
    },
    {
      name: 'time until the form appears on the slow network, s',
      limit: 2,
      measured: network.slow.form / 1_000,
    },
    {
      name: 'time until the payment field appears on the slow network, s',
      limit: 5.6,
      floor: `the network alone takes ${formatNumber(leastFieldTime)}`,
      measured: network.slow.paymentField / 1_000,
    },
    { name: 'page loads in which an element moved', limit: 0, measured: network.loadsWithShift },
    createClick('click at 4×, plain', PLAIN),
    createClick('click at 4×, alike', ALIKE),
    createRatio('heap, plain', 'heap', PLAIN, 3),
    createRatio('heap, alike', 'heap', ALIKE, 3),
    createRatio('CPU with 50 options, plain', '50 options', PLAIN, 0.8),
    createRatio('CPU with 500 options, plain', '500 options', PLAIN, 0.9),
    createRatio('CPU with 10 forms, plain', '10 forms', PLAIN, 0.6),
  ];
}

/** Renders the goals of all runs, and the baselines of the last run, as Markdown. */
export function renderReport(reports: readonly Report[]): string {
  const { rounds, results } = reports.at(-1)!;
  const sum = (key: 'measurements' | 'busyMeasurements'): number =>
    reports.reduce((total, run) => total + run.results[key], 0);
  return `${describeMachine()} Number of runs: ${reports.length}. Each run's numbers are medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'} in random order; ratios compare a form with the hand-written form in the same round. The machine was busy before ${sum('busyMeasurements')} of ${sum('measurements')} page loads.

Median of the runs, with the lowest and the highest:

${renderGoals(combineRuns(reports.map(listGoals)))}

Baselines in the last run, with the quartiles of its rounds:

${renderTable([
  ['baseline', 'CPU, ms', 'earlier', 'CPU, ratio', 'earlier', 'ready at 4×, ratio', 'earlier'],
  ...EARLIER_NUMBERS.map(({ subject, cpuTime, cpu, ready }) => [
    subject.name,
    results.getMedian('cpu', subject).toFixed(1),
    cpuTime.toFixed(1),
    formatSpread(results.getRatio('cpu', subject)),
    cpu.toFixed(2),
    formatSpread(results.getRatio('ready', subject)),
    ready.toFixed(2),
  ]),
])}

${describeDrift(results)}`;
}

/** Renders all numbers of a run as Markdown. */
export function renderDetails(report: Report): string {
  return [createSubjectRows(report), createCpuRows(report.results), createLargeRows(report.results)]
    .map(renderTable)
    .join('\n\n');
}

/** Says how far the baselines are from the earlier benchmark, since a slow one flatters the form. */
function describeDrift(results: Results): string {
  const [{ cpuTime }, ...others] = EARLIER_NUMBERS;
  const slowdown = results.getMedian('cpu', HAND_WRITTEN) / cpuTime;
  const drifts = others.map(({ subject, cpu }) =>
    Math.abs(results.getRatio('cpu', subject).median / cpu - 1),
  );
  return `Compared with the earlier benchmark, the hand-written form took ${slowdown.toFixed(2)} times the CPU time, and the other baselines' ratios differ by up to ${Math.round(Math.max(...drifts) * 100)}%.`;
}

function createSubjectRows({ results, deliveries }: Report): string[][] {
  return [
    [
      'form',
      'ready at 4×, ms',
      'ratio',
      'CPU until ready, ms',
      'ratio',
      'CPU until 0.5 s later, ms',
      'click at 4×, ms',
      'heap, kB',
      'ratio',
      'requests',
      'bytes',
    ],
    ...SUBJECTS.map((subject) => {
      const { requests, bytes } = deliveries.get(subject)!;
      return [
        subject.name,
        results.getMedian('ready', subject).toFixed(0),
        formatSpread(results.getRatio('ready', subject)),
        results.getMedian('cpu', subject).toFixed(1),
        formatSpread(results.getRatio('cpu', subject)),
        results.getMedian('total cpu', subject).toFixed(1),
        results.getMedian('click', subject).toFixed(1),
        formatNumber(Math.round(results.getMedian('heap', subject) / 1_000)),
        formatSpread(results.getRatio('heap', subject)),
        String(requests),
        formatNumber(bytes),
      ];
    }),
  ];
}

/** Shows what the main thread does until a form is ready. */
function createCpuRows(results: Results): string[][] {
  return [
    ['CPU until ready', 'scripts, ms', 'styles and layout, ms', 'painting and the rest, ms'],
    ...SUBJECTS.map((subject) => {
      const total = results.getMedian('cpu', subject);
      const script = results.getMedian('script', subject);
      const layout = results.getMedian('layout', subject);
      return [
        subject.name,
        script.toFixed(1),
        layout.toFixed(1),
        (total - script - layout).toFixed(1),
      ];
    }),
  ];
}

function createLargeRows(results: Results): string[][] {
  return [
    ['CPU until ready', ...LARGE_SIZE_NAMES.flatMap((name) => [`${name}, ms`, 'ratio'])],
    ...SUBJECTS.filter(({ isScalable }) => isScalable).map((subject) => [
      subject.name,
      ...LARGE_SIZE_NAMES.flatMap((name) => [
        results.getMedian(name, subject).toFixed(1),
        formatSpread(results.getRatio(name, subject)),
      ]),
    ]),
  ];
}

/** Formats a median with its quartiles, or alone if both are the same. */
function formatSpread(spread: Spread): string {
  const [median, lower, upper] = [spread.median, spread.lower, spread.upper].map((ratio) =>
    ratio.toFixed(2),
  );
  return lower === upper ? `${median}` : `${median} (${lower}–${upper})`;
}
