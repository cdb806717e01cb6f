/**
 * `npm run bench:summary` prints the three numbers that every change of the form or the server should
 * mention, in about half a minute. Needs `wrk`.
 */
import { measureDonationCpuTime } from '../load/bench/cpu-time.ts';
import { formatNumber } from './goals.ts';
import { measureDelivery } from './measure-delivery.ts';
import { measureCpuTimes } from './measure-times.ts';
import { Stage } from './stage.ts';
import { computeMedian } from './statistics.ts';
import { HAND_WRITTEN, PLAIN } from './subjects.ts';

const ROUNDS = 7;

interface FormNumbers {
  readonly bytes: number;
  /** CPU times until the form is ready, in milliseconds. */
  readonly cpuTimes: readonly number[];
  /** CPU times of the hand-written form in the same rounds. */
  readonly baselineCpuTimes: readonly number[];
}

async function measureForm(): Promise<FormNumbers> {
  await using stage = await Stage.open();
  const { bytes } = await measureDelivery(stage, PLAIN);
  const cpuTimes: number[] = [];
  const baselineCpuTimes: number[] = [];
  // The first load of each form does not count.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const baseline = await measureCpuTimes(stage, HAND_WRITTEN);
    const form = await measureCpuTimes(stage, PLAIN);
    if (round === 0) continue;
    baselineCpuTimes.push(baseline.untilReady);
    cpuTimes.push(form.untilReady);
  }
  return { bytes, cpuTimes, baselineCpuTimes };
}

const { bytes, cpuTimes, baselineCpuTimes } = await measureForm();
const ratio = computeMedian(cpuTimes.map((time, index) => time / baselineCpuTimes[index]!));
const donation = await measureDonationCpuTime();
console.log(`Bytes until a donation can be sent: ${formatNumber(bytes)}
CPU until ready: ${computeMedian(cpuTimes).toFixed(1)} ms, ${ratio.toFixed(2)} of the hand-written form's
CPU of the server for a donation: ${formatNumber(donation)} µs`);
