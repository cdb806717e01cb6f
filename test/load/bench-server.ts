/**
 * `npm run bench:server` measures how many donations a second one process accepts, and alternately
 * how many requests and inserts the same framework and disk can handle. The server runs on one core,
 * the load generator `wrk` on the other.
 *
 * The donations are paid by bank transfer, so the processor's time is not included: the server
 * validates each, applies the fraud protection, saves it with its outbox event, and responds. The
 * platform's hourly limit is used up from the start, so the server does not call it.
 */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { queryRows } from './audit.ts';
import { createDonationRequest } from './donors.ts';
import { startProcess, type ManagedProcess } from './process.ts';
import { describeMachine, renderTable, replaceBetweenMarkers } from './report.ts';
import { openWorld, fetchForm, ORIGIN } from './world.ts';
import { ON_FIRST_CORE, runWrk } from './wrk.ts';

const CONNECTIONS = 32;
const ROUNDS = 7;
const SECONDS = 2;

const resolvePath = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

interface Measurement {
  /** Requests or inserts a second. */
  readonly rate: number;
  /** CPU time of each, in microseconds. */
  readonly cpuTime: number;
  readonly p99: number;
}

type UrlProcess = ManagedProcess & { readonly url: string };

await using world = await openWorld({
  sandbox: { hourlyLimit: 1 },
  commandPrefix: ON_FIRST_CORE,
});
const server = await world.startServer();
const form = await fetchForm(server.url);
const donations = {
  body: JSON.stringify(createDonationRequest(0, form, { provider: 'offline' })),
  origin: ORIGIN,
};
runWrk({ url: server.url, connections: CONNECTIONS, seconds: 6, donations });

const [row] = await queryRows(world.database, 'SELECT * FROM donations LIMIT 1');
const statements = (
  await queryRows(
    world.database,
    `SELECT sql FROM sqlite_master WHERE tbl_name = 'donations' AND sql IS NOT NULL ORDER BY type = 'index'`,
  )
).map(({ sql }) => String(sql));
const writeSample = async (name: string): Promise<string> => {
  const file = join(world.folder, name);
  await writeFile(`${file}.sample.json`, JSON.stringify({ row, statements }));
  return file;
};
const startBareServer = async (...args: string[]): Promise<UrlProcess> => {
  const readyPattern = /^bare server +(http\S+)$/m;
  const child = await startProcess(
    [...ON_FIRST_CORE, process.execPath, resolvePath('bare-server.ts'), ...args],
    { folder: world.folder, readyPattern, env: process.env },
  );
  return { ...child, url: readyPattern.exec(child.readOutput())![1]! };
};
const echo = await startBareServer('echo');
const insertServer = await startBareServer('insert', await writeSample('insert.sqlite'));
const groupServer = await startBareServer('group', await writeSample('group.sqlite'));
const file = await writeSample('bare.sqlite');

const measureServer =
  ({ url, readCpuTime }: UrlProcess, connections = CONNECTIONS) =>
  (): Measurement => {
    const before = readCpuTime();
    const { requests, requestsPerSecond, p99 } = runWrk({
      url,
      connections,
      seconds: SECONDS,
      donations,
    });
    return {
      rate: requestsPerSecond,
      cpuTime: ((readCpuTime() - before) * 1_000) / requests,
      p99,
    };
  };
const measureInserts = (): Measurement => {
  const { stdout, stderr } = spawnSync(
    'taskset',
    [
      ...ON_FIRST_CORE.slice(1),
      process.execPath,
      resolvePath('bare-insert-process.ts'),
      file,
      String(SECONDS * 1_000),
    ],
    { encoding: 'utf8' },
  );
  const [, rows, milliseconds] = /^(\d+) in ([\d.]+)/.exec(stdout) ?? [];
  if (rows === undefined) throw new Error(stderr);
  return { rate: (Number(rows) / Number(milliseconds)) * 1_000, cpuTime: NaN, p99: NaN };
};

/** What is measured, with the goal for the ratio of this server's rate to it. */
const subjects = [
  { name: 'this server accepts a donation', measure: measureServer(server) },
  { name: 'the framework returns the same request body', measure: measureServer(echo) },
  {
    name: 'the framework inserts a durable row in a transaction',
    measure: measureServer(insertServer),
    goal: 2,
  },
  {
    name: 'the framework inserts rows of concurrent requests in one transaction',
    measure: measureServer(groupServer),
  },
  {
    name: 'a loop inserts a durable row in a transaction, without HTTP',
    measure: measureInserts,
    goal: 1.2,
  },
  { name: 'this server, with one connection', measure: measureServer(server, 1) },
] as const;

const measurements = subjects.map((): Measurement[] => []);
for (let round = 0; round < ROUNDS; round += 1)
  for (const [index, { measure }] of subjects.entries()) measurements[index]!.push(measure());

await Promise.all([echo, insertServer, groupServer].map((bare) => bare.kill()));

const computeMedian = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
const getMedian = (index: number, key: keyof Measurement): number =>
  computeMedian(measurements[index]!.map((item) => item[key]));
const getRatios = (index: number): number[] =>
  measurements[0]!.map(({ rate }, round) => rate / measurements[index]![round]!.rate);
const formatInteger = (number: number): string =>
  Number.isNaN(number) ? '' : Math.round(number).toLocaleString('en');
const formatRatio = (index: number): string => {
  const ratios = getRatios(index);
  return `${computeMedian(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
};

/** Goals for this server, with the measured value. */
const goals = [
  ...subjects.flatMap((subject, index) =>
    'goal' in subject
      ? [
          {
            name: `ratio to “${subject.name}”`,
            value: computeMedian(getRatios(index)),
            limit: subject.goal,
            isMinimum: true,
            digits: 2,
          },
        ]
      : [],
  ),
  { name: 'CPU time of a donation, µs', value: getMedian(0, 'cpuTime'), limit: 150 },
  { name: 'p99, ms', value: getMedian(0, 'p99'), limit: 25 },
  {
    name: 'CPU time of a donation with one connection, µs',
    value: getMedian(subjects.length - 1, 'cpuTime'),
    limit: 350,
  },
].map((goal) => ({
  isMinimum: false,
  digits: 0,
  ...goal,
}));
const isMet = ({ value, limit, isMinimum }: (typeof goals)[number]): boolean =>
  isMinimum ? value >= limit : value <= limit;

const text = `${describeMachine()} ${CONNECTIONS} connections; medians of ${ROUNDS} alternating rounds of ${SECONDS} s.

${renderTable([
  ['measure', 'a second', 'CPU time, µs each', 'p99, ms', 'ratio of this server to it'],
  ...subjects.map(({ name }, index) => {
    const p99 = getMedian(index, 'p99');
    return [
      name,
      formatInteger(getMedian(index, 'rate')),
      formatInteger(getMedian(index, 'cpuTime')),
      Number.isNaN(p99) ? '' : p99.toFixed(1),
      index === 0 || index === subjects.length - 1 ? '' : formatRatio(index),
    ];
  }),
])}

${renderTable([
  ['goal', 'limit', 'measured', ''],
  ...goals.map((goal) => [
    goal.name,
    `${goal.isMinimum ? 'at least' : 'at most'} ${goal.limit}`,
    goal.value.toFixed(goal.digits),
    isMet(goal) ? 'met' : '**missed**',
  ]),
])}`;
console.log(text);
await replaceBetweenMarkers('docs/scale.md', 'bench', text);
process.exitCode = goals.every(isMet) ? 0 : 1;
