import { fileURLToPath } from 'node:url';
import type { DonationRequest } from '../../../src/core/schemas/donation-request.ts';
import type { Goal } from '../../bench/goals.ts';
import { computeMedian, computeRatios } from '../../bench/statistics.ts';
import { createDonationRequest } from '../donors.ts';
import { type ManagedProcess, startProcess } from '../process.ts';
import { type FetchedForm, ORIGIN } from '../world.ts';
import { ON_FIRST_CORE, runWrk, type WrkOptions } from '../wrk.ts';

/** A measured part of the server: its tables, and the goals for it. */
export interface BenchResult {
  readonly text: string;
  readonly goals: readonly Goal[];
}

export type UrlProcess = ManagedProcess & { readonly url: string };

export interface Measurement {
  /** Requests or inserts a second. */
  readonly rate: number;
  /** CPU time of each, in microseconds. */
  readonly cpuTime: number;
  /** 99th percentile of the response times, in milliseconds. */
  readonly p99: number;
}

export interface Subject {
  readonly name: string;
  readonly measure: () => Promise<Measurement>;
}

/** Donations that `wrk` sends: pledges, so that no payment provider's time is included. */
export function createDonations(form: FetchedForm): NonNullable<WrkOptions['donations']> {
  const payment: DonationRequest['payment'] = { provider: 'offline' };
  return { body: JSON.stringify(createDonationRequest(0, form, payment)), origin: ORIGIN };
}

/** Measures requests, and the CPU time of the processes that handle them. */
export async function measureRequests(
  processes: readonly ManagedProcess[],
  options: WrkOptions,
): Promise<Measurement> {
  const readCpuTime = (): number =>
    processes.reduce((sum, server) => sum + server.readCpuTime(), 0);
  const before = readCpuTime();
  const { requests, requestsPerSecond, p99 } = await runWrk(options);
  return {
    rate: requestsPerSecond,
    cpuTime: ((readCpuTime() - before) * 1_000) / requests,
    p99,
  };
}

/** Measures all subjects in each round, so that they share the machine's changes of speed. */
export async function measureInRounds(
  subjects: readonly Subject[],
  rounds: number,
): Promise<Measurement[][]> {
  const measurements = subjects.map((): Measurement[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, { measure }] of subjects.entries())
      measurements[index]!.push(await measure());
  return measurements;
}

/** Starts a baseline of bare-server.ts. */
export async function startBareServer(
  folder: string,
  args: readonly string[],
  prefix: readonly string[] = ON_FIRST_CORE,
): Promise<UrlProcess> {
  const readyPattern = /^bare server +(http\S+)$/m;
  const file = fileURLToPath(new URL('../bare-server.ts', import.meta.url));
  const command = [...prefix, process.execPath, file, ...args] as unknown as [string];
  const child = await startProcess(command, { folder, readyPattern, env: process.env });
  return { ...child, url: readyPattern.exec(child.readOutput())![1]! };
}

export const getMedian = (measurements: readonly Measurement[], key: keyof Measurement): number =>
  computeMedian(measurements.map((item) => item[key]));

/** Computes the ratio of the rates in each round. */
export const computeRateRatios = (
  measurements: readonly Measurement[],
  baseline: readonly Measurement[],
): number[] =>
  computeRatios(
    measurements.map(({ rate }) => rate),
    baseline.map(({ rate }) => rate),
  );

export const formatInteger = (number: number): string =>
  Number.isNaN(number) ? '' : Math.round(number).toLocaleString('en');

/** Formats the median, and the lowest and highest value. */
export function formatSpread(numbers: readonly number[]): string {
  const [median, lowest, highest] = [
    computeMedian(numbers),
    Math.min(...numbers),
    Math.max(...numbers),
  ].map((number) => number.toFixed(2));
  return `${median} (${lowest}–${highest})`;
}
