/**
 * Speeds up a process's clock and timers if it is imported first. Several processes can share one
 * clock: `LOAD_CLOCK=<real start time>,<displayed start time>,<speed>`, in milliseconds since 1970.
 */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

const getRealTime = Date.now;

const parseNumbers = (text: string): number[] => text.split(',').map(Number);

/** Returns the clock that `LOAD_CLOCK` describes, or the real one without it. */
export function createScaledClock(text = process.env.LOAD_CLOCK): () => number {
  if (text === undefined) return getRealTime;
  const [start = 0, displayed = 0, speed = 1] = parseNumbers(text);
  return () => Math.floor(displayed + (getRealTime() - start) * speed);
}

if (process.env.LOAD_CLOCK !== undefined) {
  const [, , speed = 1] = parseNumbers(process.env.LOAD_CLOCK);
  const { setTimeout } = globalThis;
  Date.now = createScaledClock();
  globalThis.setTimeout = ((
    callback: (...args: unknown[]) => void,
    delay = 0,
    ...args: unknown[]
  ) => setTimeout(callback, delay / speed, ...args)) as typeof globalThis.setTimeout;
  const { setTimeout: waitFor } = timers;
  timers.setTimeout = (delay = 0, ...args) => waitFor(delay / speed, ...args);
  syncBuiltinESMExports();
}
