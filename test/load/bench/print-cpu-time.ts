/** `npm run bench:cpu` prints the CPU time of a donation. Every change to the server mentions it. */
import { measureDonationCpuTime } from './cpu-time.ts';
import { formatInteger } from './measure.ts';

console.log(`CPU time of a donation: ${formatInteger(await measureDonationCpuTime())} µs`);
