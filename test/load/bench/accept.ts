import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { computeMedian } from '../../bench/statistics.ts';
import { queryRows } from '../audit.ts';
import { renderTable } from '../report.ts';
import { fetchForm, openWorld, type World } from '../world.ts';
import { ON_FIRST_CORE, runWrk } from '../wrk.ts';
import {
  type BenchResult,
  computeRateRatios,
  createDonations,
  formatInteger,
  formatSpread,
  getMedian,
  measureInRounds,
  type Measurement,
  measureRequests,
  startBareServer,
  type UrlProcess,
} from './measure.ts';

const CONNECTIONS = 32;
const SECONDS = 2;
/** What the baselines reached in an earlier benchmark: requests per second, and CPU time in µs. */
const EARLIER_BASELINES = [
  ['the framework returns the same body', 39_640, 24],
  ['the framework inserts a durable row', 2_851, 212],
  ['the framework inserts concurrent rows together', 9_807, 73],
] as const;
const EARLIER_INSERTS = EARLIER_BASELINES[1][1];
const BARE_INSERTS = fileURLToPath(new URL('../bare-insert-process.ts', import.meta.url));

/**
 * Measures how many donations a second one process with SQLite accepts, and alternately how many
 * requests and inserts the same framework and disk can handle. The server runs on one core, `wrk` on
 * the other.
 */
export async function measureAccepting(rounds: number): Promise<BenchResult> {
  await using world = await openWorld({
    sandbox: { hourlyLimit: 1 },
    commandPrefix: ON_FIRST_CORE,
  });
  const server = await world.startServer();
  const donations = createDonations(await fetchForm(server.url));
  const measureServer = ({ url, ...managed }: UrlProcess, connections: number) =>
    measureRequests([managed], { urls: [url], connections, seconds: SECONDS, donations });
  await runWrk({ urls: [server.url], connections: CONNECTIONS, seconds: 6, donations });

  const writeSample = await readSample(world);
  const [echo, insert, group, thread] = await Promise.all([
    startBareServer(world.folder, ['echo']),
    startBareServer(world.folder, ['insert', await writeSample('insert.sqlite')]),
    startBareServer(world.folder, ['group', await writeSample('group.sqlite')]),
    startBareServer(world.folder, ['thread', await writeSample('thread.sqlite')]),
  ]);
  const file = await writeSample('loop.sqlite');
  const names = [
    'this server accepts a donation',
    'the framework returns the same body',
    'the framework inserts a durable row',
    'the framework inserts concurrent rows together',
    'the framework inserts concurrent rows together in another thread',
    'a loop inserts a durable row, without HTTP',
    'this server accepts a donation over one connection',
  ] as const;
  const measures = [
    () => measureServer(server, CONNECTIONS),
    ...[echo, insert, group, thread].map((bare) => () => measureServer(bare, CONNECTIONS)),
    async () => measureInserts(file),
    () => measureServer(server, 1),
  ];
  const results = await measureInRounds(
    names.map((name, index) => ({ name, measure: measures[index]! })),
    rounds,
  );
  await Promise.all([echo, insert, group, thread].map((bare) => bare.kill()));

  const [accepted, , inserted, , , looped, alone] = results as [
    Measurement[],
    Measurement[],
    Measurement[],
    Measurement[],
    Measurement[],
    Measurement[],
    Measurement[],
  ];
  const rows = names.map((name, index) => {
    const p99 = getMedian(results[index]!, 'p99');
    const isBaseline = results[index] !== accepted && results[index] !== alone;
    return [
      name,
      formatInteger(getMedian(results[index]!, 'rate')),
      formatInteger(getMedian(results[index]!, 'cpuTime')),
      Number.isNaN(p99) ? '' : p99.toFixed(1),
      isBaseline ? formatSpread(computeRateRatios(accepted, results[index]!)) : '',
    ];
  });
  return {
    text: `Medians of ${rounds} alternating rounds of ${SECONDS} s, with ${CONNECTIONS} connections.

${renderTable([
  ['measure', 'per second', 'CPU time, µs per request', 'p99, ms', 'this server ÷ this row'],
  ...rows,
])}

${renderTable([
  ['baseline', 'CPU time, µs', 'earlier', 'rate ÷ durable inserts', 'earlier'],
  ...EARLIER_BASELINES.map(([name, rate, cpuTime], index) => {
    const baseline = results[index + 1]!;
    return [
      name,
      formatInteger(getMedian(baseline, 'cpuTime')),
      formatInteger(cpuTime),
      formatSpread(computeRateRatios(baseline, inserted)),
      (rate / EARLIER_INSERTS).toFixed(2),
    ];
  }),
])}`,
    goals: [
      {
        name: 'donations ÷ durable inserts through the framework',
        limit: 2,
        measured: computeMedian(computeRateRatios(accepted, inserted)),
        isMinimum: true,
      },
      {
        name: 'donations ÷ durable inserts without HTTP',
        limit: 1.2,
        measured: computeMedian(computeRateRatios(accepted, looped)),
        isMinimum: true,
      },
      { name: 'CPU time per donation, µs', limit: 150, measured: getMedian(accepted, 'cpuTime') },
      { name: '99th percentile, ms', limit: 25, measured: getMedian(accepted, 'p99') },
      {
        name: 'CPU time per donation with one connection, µs',
        limit: 350,
        measured: getMedian(alone, 'cpuTime'),
      },
    ],
  };
}

/**
 * Reads a row of the table `donations` and the table's schema.
 * @returns a function that writes them for a baseline, and returns the path of its database.
 */
async function readSample(world: World): Promise<(name: string) => Promise<string>> {
  const [row] = await queryRows(world.database, 'SELECT * FROM donations LIMIT 1');
  const schema = await queryRows(
    world.database,
    `SELECT sql FROM sqlite_master WHERE tbl_name = 'donations' AND sql IS NOT NULL ORDER BY type = 'index'`,
  );
  const statements = schema.map(({ sql }) => String(sql));
  return async (name) => {
    const file = join(world.folder, name);
    await writeFile(`${file}.sample.json`, JSON.stringify({ row, statements }));
    return file;
  };
}

function measureInserts(file: string): Measurement {
  const [program, ...args] = [
    ...ON_FIRST_CORE,
    process.execPath,
    BARE_INSERTS,
    file,
    String(SECONDS * 1_000),
  ];
  const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  const [, rows, milliseconds] = /^(\d+) in ([\d.]+)/.exec(stdout) ?? [];
  if (rows === undefined) throw new Error(stderr);
  return { rate: (Number(rows) / Number(milliseconds)) * 1_000, cpuTime: NaN, p99: NaN };
}
