import type { Logger } from '../lib/logger.ts';

/** In milliseconds. */
const MAX_SKEW = 10_000;

/** Warns once if the clocks differ, and logs once when they agree again. */
export function createSkewLogger(log: Logger): (skew: number) => void {
  let wasSkewed = false;
  return (skew) => {
    const isSkewed = Math.abs(skew) > MAX_SKEW;
    const seconds = Math.round(skew / 1_000);
    if (isSkewed && !wasSkewed)
      log.warn(
        `this server's clock is ${Math.abs(seconds)} seconds ${skew > 0 ? 'ahead of' : 'behind'} ` +
          "the database's clock; turn on time synchronization on both machines",
      );
    else if (!isSkewed && wasSkewed)
      log.info("this server's clock agrees with the database's clock again");
    wasSkewed = isSkewed;
  };
}
