/**
 * `npm run bench:scale` measures how many donations a second one process accepts with SQLite, and 1,
 * 2, and 4 processes with one PostgreSQL, on one machine, with offline payments as in
 * bench/accept.ts.
 */
import { findPostgresBinaries, startPostgres } from '../postgres.ts';
import { startLoadGenerator } from './start-load-generator.ts';
import type { LoadResult } from './load-generator.ts';
import { describeMachine, renderTable, replaceBetweenMarkers } from './report.ts';
import { openWorld, fetchForm, type ServerProcess, type WorldOptions } from './world.ts';

const DONORS = 48;
const MILLISECONDS = 8_000;
const WARM_UP = 3_000;

interface Measurement extends LoadResult {
  readonly servers: number;
  readonly database: string;
  /** CPU time of all servers for each donation, in microseconds. */
  readonly cpuTime: number;
}

async function measureThroughput(
  database: string,
  servers: number,
  options: WorldOptions,
): Promise<Measurement> {
  await using world = await openWorld({ ...options, sandbox: { hourlyLimit: 1 } });
  const load = startLoadGenerator();
  try {
    const processes: ServerProcess[] = [];
    for (let index = 0; index < servers; index += 1) processes.push(await world.startServer());
    const loadOptions = {
      urls: processes.map(({ url }) => url),
      form: await fetchForm(processes[0]!.url),
      donors: DONORS,
    };
    await load.send({ ...loadOptions, milliseconds: WARM_UP });
    const readTotalCpuTime = (): number =>
      processes.reduce((sum, { readCpuTime }) => sum + readCpuTime(), 0);
    const before = readTotalCpuTime();
    const result = await load.send({ ...loadOptions, milliseconds: MILLISECONDS });
    if (result.failed > 0)
      throw new Error(
        `${database}, ${servers}: ${result.failed} of ${result.succeeded + result.failed} donations failed`,
      );
    return {
      ...result,
      database,
      servers,
      cpuTime: ((readTotalCpuTime() - before) * 1_000) / result.succeeded,
    };
  } finally {
    load.stop();
  }
}

if (findPostgresBinaries() === undefined)
  throw new Error('PostgreSQL is not installed: apt-get install postgresql');
const postgres = await startPostgres();
const measurements: Measurement[] = [];
try {
  measurements.push(await measureThroughput('SQLite', 1, {}));
  for (const servers of [1, 2, 4])
    measurements.push(await measureThroughput('PostgreSQL', servers, { postgres }));
} finally {
  postgres.stop();
}
const formatInteger = (number: number): string => Math.round(number).toLocaleString('en');
const text = `${describeMachine()} ${DONORS} concurrent donors, ${MILLISECONDS / 1_000} s for each row; servers, database, donors, and platform on one machine.

${renderTable([
  [
    'database',
    'servers',
    'donations per second',
    'median, ms',
    'p99, ms',
    'CPU time of all servers, µs per donation',
  ],
  ...measurements.map(({ database, servers, succeeded, milliseconds, median, p99, cpuTime }) => [
    database,
    String(servers),
    formatInteger((succeeded / milliseconds) * 1_000),
    median.toFixed(1),
    p99.toFixed(1),
    formatInteger(cpuTime),
  ]),
])}`;
console.log(text);
await replaceBetweenMarkers('docs/evidence/scale.md', 'scale', text);
