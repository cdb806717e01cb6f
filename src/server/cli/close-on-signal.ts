import { setTimeout } from 'node:timers/promises';

/** Time limit for closing, in milliseconds. `docker stop` kills the process after 10 s. */
const CLOSE_TIMEOUT = 8_000;

/**
 * Closes a server on SIGINT or SIGTERM, or ends the process if calls to others take too long. The
 * server looks up the results of those calls after its next start.
 */
export async function closeOnSignal(server: {
  readonly close: (reason: string) => Promise<void>;
}): Promise<void> {
  const signal = await new Promise<string>((resolve) => {
    process.once('SIGINT', resolve).once('SIGTERM', resolve);
  });
  const isClosed = await Promise.race([
    server.close(signal).then(() => true),
    setTimeout(CLOSE_TIMEOUT, false, { ref: false }),
  ]);
  if (!isClosed) {
    process.stderr.write(
      'Stopped while calls to other servers were in progress. The server will look up the ' +
        'results of those calls when it next starts.\n',
    );
    process.exit(0);
  }
}
