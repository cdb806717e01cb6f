/**
 * `npm run bench:server` measures how many donations a second one process accepts from 32
 * concurrent donors, and alternately how many requests and inserts the same framework and disk can
 * handle.
 *
 * The donations are paid by bank transfer, so the processor's time is not included: the server
 * validates each, applies the fraud protection, saves it twice (before and after creating the
 * payment), and responds. The platform's hourly limit is used up from the start, so the server does
 * not call it.
 */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { queryRows } from './audit.ts';
import { startLoadGenerator } from './start-load-generator.ts';
import { startProcess, type ManagedProcess } from './process.ts';
import { describeMachine, renderTable, replaceBetweenMarkers } from './report.ts';
import { openWorld, fetchForm } from './world.ts';

const DONORS = 32;
const ROUNDS = 7;
const MILLISECONDS = 2_000;
/** Target ratio of accepted donations to inserts without HTTP. */
const GOAL = 1.5;

const resolvePath = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

interface Measurement {
  /** Requests or inserts a second. */
  readonly rate: number;
  /** CPU time of each, in microseconds. */
  readonly cpuTime: number;
  readonly p99: number;
}

await using world = await openWorld({ sandbox: { hourlyLimit: 1 } });
const server = await world.startServer();
const form = await fetchForm(server.url);
const load = startLoadGenerator();
const options = { form, donors: DONORS, milliseconds: MILLISECONDS };
await load.send({ ...options, urls: [server.url], milliseconds: 6_000 });

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
const startBareServer = async (
  ...args: string[]
): Promise<ManagedProcess & { readonly url: string }> => {
  const readyPattern = /^bare server +(http\S+)$/m;
  const child = await startProcess([process.execPath, resolvePath('bare-server.ts'), ...args], {
    folder: world.folder,
    readyPattern,
    env: process.env,
  });
  return { ...child, url: readyPattern.exec(child.readOutput())![1]! };
};
const echo = await startBareServer('echo');
const insertServer = await startBareServer('insert', await writeSample('over-http.sqlite'));
const file = await writeSample('bare.sqlite');

const measureServer =
  ({ url, readCpuTime }: ManagedProcess & { readonly url: string }) =>
  async (): Promise<Measurement> => {
    const before = readCpuTime();
    const { succeeded, failed, milliseconds, p99 } = await load.send({
      ...options,
      urls: [url],
    });
    if (failed > 0) throw new Error(`${failed} of ${succeeded + failed} requests to ${url} failed`);
    return {
      rate: (succeeded / milliseconds) * 1_000,
      cpuTime: ((readCpuTime() - before) * 1_000) / succeeded,
      p99,
    };
  };
const measureInserts = async (): Promise<Measurement> => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [resolvePath('bare-insert-process.ts'), file, String(MILLISECONDS)],
    { encoding: 'utf8' },
  );
  const [, rows, milliseconds] = /^(\d+) in ([\d.]+)/.exec(stdout) ?? [];
  if (rows === undefined) throw new Error(stderr);
  return { rate: (Number(rows) / Number(milliseconds)) * 1_000, cpuTime: NaN, p99: NaN };
};
const subjects = [
  { name: 'this server accepts a donation', measure: measureServer(server) },
  { name: 'the framework returns the same request body', measure: measureServer(echo) },
  {
    name: 'the framework inserts a durable row in a transaction',
    measure: measureServer(insertServer),
  },
  { name: 'a loop inserts a durable row in a transaction, without HTTP', measure: measureInserts },
];

const measurements = subjects.map((): Measurement[] => []);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [index, { measure }] of subjects.entries()) measurements[index]!.push(await measure());
}

load.stop();
await Promise.all([echo.kill(), insertServer.kill()]);

const computeMedian = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
const getRatio = (index: number): number =>
  computeMedian(
    measurements[0]!.map(({ rate }, round) => rate / measurements[index]![round]!.rate),
  );
const formatInteger = (number: number): string =>
  Number.isNaN(number) ? '' : Math.round(number).toLocaleString('en');
const text = `${describeMachine()} ${DONORS} concurrent donors; medians of ${ROUNDS} alternating rounds of ${MILLISECONDS / 1_000} s.

${renderTable([
  ['measure', 'a second', 'CPU time, µs each', 'p99, ms', 'ratio of this server to it'],
  ...subjects.map(({ name }, index) => {
    const getMedian = (key: keyof Measurement): number =>
      computeMedian(measurements[index]!.map((item) => item[key]));
    const p99 = getMedian('p99');
    return [
      name,
      formatInteger(getMedian('rate')),
      formatInteger(getMedian('cpuTime')),
      Number.isNaN(p99) ? '' : p99.toFixed(1),
      index === 0 ? '' : getRatio(index).toFixed(2),
    ];
  }),
])}

Goal: ${GOAL.toFixed(1)} times the inserts without HTTP: ${getRatio(3) >= GOAL ? 'met' : '**missed**'}, ${getRatio(3).toFixed(2)}.`;
console.log(text);
await replaceBetweenMarkers('docs/scale.md', 'bench', text);
process.exitCode = getRatio(3) >= GOAL ? 0 : 1;
