import { ok, wrong, type Finding } from './finding.ts';

/**
 * How far clocks may be apart, in seconds: signed webhooks are believed for five minutes, and the
 * platform's waits are times of day.
 */
const FARTHEST = 30;

/**
 * Compares this machine's clock with another's.
 * @param theirs what the other said, in milliseconds since 1970.
 * @param between how long the question took, in milliseconds.
 */
export function compareClocks(
  whose: string,
  theirs: number,
  between: number,
  ours: number,
): Finding {
  // The header Date tells whole seconds, and was written some time before it arrived.
  const difference = Math.round((ours - between / 2 - theirs) / 1_000);
  return Math.abs(difference) <= FARTHEST
    ? ok('clock', `within ${FARTHEST} seconds of ${whose}`)
    : wrong(
        'clock',
        `this machine is ${Math.abs(difference)} seconds ${difference > 0 ? 'ahead of' : 'behind'} ${whose}; switch on its time synchronisation (timedatectl set-ntp true)`,
      );
}
