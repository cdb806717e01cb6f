import { fetchForm, openWorld } from '../world.ts';
import { ON_FIRST_CORE } from '../wrk.ts';
import { createDonations, measureRequests } from './measure.ts';

const CONNECTIONS = 32;
const ROUNDS = 4;

/**
 * Measures the CPU time of a donation in microseconds, in about ten seconds, with SQLite. Needs the
 * build and `wrk`. Returns the lowest of several rounds, because other programs on the machine only
 * add to it.
 */
export async function measureDonationCpuTime(): Promise<number> {
  await using world = await openWorld({
    sandbox: { hourlyLimit: 1 },
    commandPrefix: ON_FIRST_CORE,
  });
  const server = await world.startServer();
  const donations = createDonations(await fetchForm(server.url));
  const measure = (seconds: number) =>
    measureRequests([server], {
      urls: [server.url],
      connections: CONNECTIONS,
      seconds,
      donations,
    });
  await measure(3);
  let lowest = Infinity;
  for (let round = 0; round < ROUNDS; round += 1)
    lowest = Math.min(lowest, (await measure(1)).cpuTime);
  return lowest;
}
