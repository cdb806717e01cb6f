import { fail, pass, type CheckResult } from './check-result.ts';

/**
 * Tolerated difference between clocks, in seconds. Signatures of webhooks expire after five
 * minutes, and the platform names the time until which we must wait.
 */
const MAX_SKEW = 30;

/**
 * Compares this machine's clock with another one.
 * @param owner of the other clock.
 * @param remoteTime time of the other clock, in milliseconds since 1970.
 * @param roundTrip duration of the request for it, in milliseconds.
 * @param localTime time of this clock when the response arrived, in milliseconds since 1970.
 */
export function checkClockSkew(
  owner: string,
  remoteTime: number,
  roundTrip: number,
  localTime: number,
): CheckResult {
  // Date headers have whole seconds and were written some time before they arrived.
  const skew = Math.round((localTime - roundTrip / 2 - remoteTime) / 1_000);
  return Math.abs(skew) <= MAX_SKEW
    ? pass('clock', `Within ${MAX_SKEW} seconds of ${owner}.`)
    : fail(
        'clock',
        `This machine's clock is ${Math.abs(skew)} seconds ` +
          `${skew > 0 ? 'ahead of' : 'behind'} ${owner}. Turn on time synchronization ` +
          '(timedatectl set-ntp true).',
      );
}
