import type { Logger } from '../lib/logger.ts';

/**
 * Clock skew between a server and its database above which a warning is logged, in milliseconds.
 */
const MAX_SKEW = 10_000;

/**
 * Creates a function that logs a warning when this server's clock starts to differ from the
 * database's.
 */
export function createSkewLogger(log: Logger): (skew: number) => void {
  let wasSkewed = false;
  return (skew) => {
    const isSkewed = Math.abs(skew) > MAX_SKEW;
    const seconds = Math.round(skew / 1_000);
    if (isSkewed && !wasSkewed)
      log.warn(
        `this server's clock is ${Math.abs(seconds)} seconds ${skew > 0 ? 'ahead of' : 'behind'} ` +
          "the database's; turn on time synchronization on both machines",
      );
    else if (!isSkewed && wasSkewed)
      log.info("this server's clock agrees with the database's again");
    wasSkewed = isSkewed;
  };
}
