/**
 * Loaded before anything else of a process, lets its clock and its timers run faster, from a moment
 * on that several processes share: `LOAD_CLOCK=<real moment>,<moment shown then>,<times as fast>`.
 */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const real = Date.now;

const read = (written: string): number[] => written.split(',').map(Number);

/** The clock that `LOAD_CLOCK` describes; without it, the machine's. */
export function scaledClock(written = process.env.LOAD_CLOCK): () => number {
  if (written === undefined) return real;
  const [began = 0, shown = 0, speed = 1] = read(written);
  return () => Math.floor(shown + (real() - began) * speed);
}

if (process.env.LOAD_CLOCK !== undefined) {
  const [, , speed = 1] = read(process.env.LOAD_CLOCK);
  const { setTimeout } = globalThis;
  Date.now = scaledClock();
  globalThis.setTimeout = ((work: (...given: unknown[]) => void, wait = 0, ...given: unknown[]) =>
    setTimeout(work, wait / speed, ...given)) as typeof globalThis.setTimeout;
  const { setTimeout: waitFor } = timers;
  timers.setTimeout = (wait = 0, ...given) => waitFor(wait / speed, ...given);
  syncBuiltinESMExports();
}
