import { setTimeout } from 'node:timers/promises';
import type { Listening } from '../index.ts';

/** How long a server may take to end, in milliseconds: `docker stop` kills after 10 s. */
const LONGEST_ENDING = 8_000;

/**
 * Serves until a signal ends it. What others take too long to answer is left for the next start,
 * which looks it up.
 */
export async function untilSignal(listening: Listening): Promise<0> {
  await new Promise((resolve) => {
    process.once('SIGINT', resolve).once('SIGTERM', resolve);
  });
  const hasEnded = await Promise.race([
    listening.close().then(() => true),
    setTimeout(LONGEST_ENDING, false, { ref: false }),
  ]);
  if (!hasEnded) {
    process.stderr.write(
      'Some calls to others are still under way; the next start asks what became of them.\n',
    );
    process.exit(0);
  }
  return 0;
}
