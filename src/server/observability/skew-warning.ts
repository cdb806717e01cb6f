import type { Logger } from '../lib/logger.ts';

/**
 * Maximum clock skew between a server and its database before a warning is logged, in milliseconds.
 */
const MAX_SKEW = 10_000;

/**
 * Creates a function that logs a warning once this server's clock differs from the database's
 * clock, and another message once the clocks agree again.
 */
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
