/**
 * `npm run bench:scale`: how many gifts one process accepts in a second on SQLite, and 1, 2 and 4
 * processes that share a PostgreSQL, the donors taking turns between them. All on one machine,
 * promised gifts as in bench-server.ts.
 */
import { findPostgresBinaries, startPostgres } from '../postgres.ts';
import { startLoad } from './load.ts';
import type { LoadResult } from './load-generator.ts';
import { machine, table, writeBetween } from './report.ts';
import { openWorld, seeForm, type ServerProcess, type WorldOptions } from './world.ts';

const DONORS = 48;
const MILLISECONDS = 8_000;
const WARM_UP = 3_000;

interface Measured extends LoadResult {
  readonly servers: number;
  readonly database: string;
  /** Microseconds of the servers' processors for each gift. */
  readonly cost: number;
}

async function measure(
  database: string,
  servers: number,
  options: WorldOptions,
): Promise<Measured> {
  await using world = await openWorld({ ...options, sandbox: { hourlyLimit: 1 } });
  const load = startLoad();
  try {
    const processes: ServerProcess[] = [];
    for (let index = 0; index < servers; index += 1) processes.push(await world.serve());
    const order = {
      addresses: processes.map(({ address }) => address),
      seen: await seeForm(processes[0]!.address),
      donors: DONORS,
    };
    await load.send({ ...order, milliseconds: WARM_UP });
    const spent = (): number =>
      processes.reduce((sum, { processorTime }) => sum + processorTime(), 0);
    const before = spent();
    const result = await load.send({ ...order, milliseconds: MILLISECONDS });
    if (result.failed > 0)
      throw new Error(
        `${database}, ${servers}: ${result.failed} of ${result.answered + result.failed} gifts failed`,
      );
    return { ...result, database, servers, cost: ((spent() - before) * 1_000) / result.answered };
  } finally {
    load.stop();
  }
}

if (findPostgresBinaries() === undefined)
  throw new Error('PostgreSQL is not installed: apt-get install postgresql');
const postgres = await startPostgres();
const measured: Measured[] = [];
try {
  measured.push(await measure('SQLite', 1, {}));
  for (const servers of [1, 2, 4])
    measured.push(await measure('PostgreSQL', servers, { postgres }));
} finally {
  postgres.stop();
}
const whole = (number: number): string => Math.round(number).toLocaleString('en');
const text = `${machine()} ${DONORS} donors at once, ${MILLISECONDS / 1_000} s each; servers, database, donors and platform on this one machine.

${table([
  [
    'database',
    'servers',
    'gifts a second',
    'median, ms',
    'p99, ms',
    "servers' processors, µs a gift",
  ],
  ...measured.map(({ database, servers, answered, milliseconds, median, p99, cost }) => [
    database,
    String(servers),
    whole((answered / milliseconds) * 1_000),
    median.toFixed(1),
    p99.toFixed(1),
    whole(cost),
  ]),
])}`;
console.log(text);
await writeBetween('docs/scale.md', 'scale', text);
