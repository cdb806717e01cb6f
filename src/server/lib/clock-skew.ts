import { type CheckResult, createCheck } from './check-result.ts';

/** In seconds. Webhook signatures expire, and the platform's backoff ends at an absolute time. */
const MAX_SKEW = 30;

/**
 * Compares this machine's clock with another. Times are in milliseconds since 1970.
 * @param owner the other clock's owner, such as `the platform`.
 * @param roundTrip duration of the request for `remoteTime`, in milliseconds.
 * @param localTime this clock's time when the response arrived.
 */
export function checkClockSkew(
  owner: string,
  remoteTime: number,
  roundTrip: number,
  localTime: number,
): CheckResult {
  // A Date header has only whole seconds, and is written before the response arrives.
  const skew = Math.round((localTime - roundTrip / 2 - remoteTime) / 1_000);
  return Math.abs(skew) <= MAX_SKEW
    ? createCheck('clock').pass(`This machine's clock is within ${MAX_SKEW} seconds of ${owner}.`)
    : createCheck('clock').fail(
        `This machine's clock is ${Math.abs(skew)} seconds ` +
          `${skew > 0 ? 'ahead of' : 'behind'} ${owner}. Turn on time synchronization ` +
          'with timedatectl set-ntp true.',
      );
}
