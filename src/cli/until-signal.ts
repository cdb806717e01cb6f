import type { Listening } from '../server/index.ts';

/** Serves until a signal ends it. */
export async function untilSignal(listening: Listening): Promise<0> {
  await new Promise((resolve) => { process.once('SIGINT', resolve).once('SIGTERM', resolve); });
  await listening.close();
  return 0;
}
