import { cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';

/** Share of the CPU time that other work may use. */
const MAX_LOAD = 0.25;
const SAMPLE_TIME = 400;
const PATIENCE = 2_000;

/** Waits until the machine is idle. @returns false if it stays busy for two seconds. */
export async function waitUntilIdle(): Promise<boolean> {
  const deadline = performance.now() + PATIENCE;
  while ((await measureLoad()) > MAX_LOAD) if (performance.now() > deadline) return false;
  return true;
}

/** Measures the used share of all cores. */
async function measureLoad(): Promise<number> {
  const before = readTimes();
  await setTimeout(SAMPLE_TIME);
  const after = readTimes();
  return 1 - (after.idle - before.idle) / (after.total - before.total);
}

function readTimes(): { idle: number; total: number } {
  const times = cpus().flatMap((core) => Object.entries(core.times));
  const sum = (entries: typeof times): number => entries.reduce((all, [, time]) => all + time, 0);
  return { idle: sum(times.filter(([name]) => name === 'idle')), total: sum(times) };
}
