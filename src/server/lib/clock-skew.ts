import { createFailedResult, createPassedResult, type CheckResult } from './check-result.ts';

/**
 * Maximum difference between clocks, in seconds. Clocks must agree, because webhook signatures
 * expire after five minutes and the platform's backoff ends at an absolute time.
 */
const MAX_SKEW = 30;

/**
 * Compares this machine's clock with another one.
 * @param owner the other clock's owner, such as `the platform`.
 * @param remoteTime the other clock's time, in milliseconds since 1970.
 * @param roundTrip duration of the request for `remoteTime`, in milliseconds.
 * @param localTime this clock's time when the response arrived, in milliseconds since 1970.
 */
export function checkClockSkew(
  owner: string,
  remoteTime: number,
  roundTrip: number,
  localTime: number,
): CheckResult {
  // A Date header has whole seconds, and was written some time before the response arrived.
  const skew = Math.round((localTime - roundTrip / 2 - remoteTime) / 1_000);
  return Math.abs(skew) <= MAX_SKEW
    ? createPassedResult('clock', `Within ${MAX_SKEW} seconds of ${owner}.`)
    : createFailedResult(
        'clock',
        `This machine's clock is ${Math.abs(skew)} seconds ` +
          `${skew > 0 ? 'ahead of' : 'behind'} ${owner}. Turn on time synchronization ` +
          '(timedatectl set-ntp true).',
      );
}
