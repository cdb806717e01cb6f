/**
 * `npm run bench:server`: how many gifts one process accepts in a second, 32 donors at once, beside
 * what the same framework and the same disk can do at all, in turns of one run.
 *
 * What is accepted is a promised gift, by transfer: checked, guarded, kept, its payment begun
 * without any processor, kept again with what the platform is to know of it, and answered.
 * With a card, the processor's two calls would be measured. The platform's calls of the hour are
 * used up from the start, as they soon are on a busy day: it is left alone.
 */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask } from './audit.ts';
import { startLoad } from './load.ts';
import { start, type OwnProcess } from './process.ts';
import { machine, table, writeBetween } from './report.ts';
import { openWorld, seeForm } from './world.ts';

const DONORS = 32;
const ROUNDS = 7;
const MILLISECONDS = 2_000;
/** What the accept is to reach of the bare insert. */
const GOAL = 1.5;

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

interface Turn {
  /** A second. */
  readonly rate: number;
  /** Microseconds of the processor for each. */
  readonly cost: number;
  readonly p99: number;
}

await using world = await openWorld({ sandbox: { hourlyLimit: 1 } });
const server = await world.serve();
const seen = await seeForm(server.address);
const load = startLoad();
const order = { seen, donors: DONORS, milliseconds: MILLISECONDS };
await load.send({ ...order, addresses: [server.address], milliseconds: 6_000 });

const [row] = await ask(world.database, 'SELECT * FROM donations LIMIT 1');
const statements = (
  await ask(
    world.database,
    `SELECT sql FROM sqlite_master WHERE tbl_name = 'donations' AND sql IS NOT NULL ORDER BY type = 'index'`,
  )
).map(({ sql }) => String(sql));
const sample = async (name: string): Promise<string> => {
  const file = join(world.folder, name);
  await writeFile(`${file}.sample.json`, JSON.stringify({ row, statements }));
  return file;
};
const bare = async (...words: string[]): Promise<OwnProcess & { readonly address: string }> => {
  const sign = /^bare server +(http\S+)$/m;
  const child = await start([process.execPath, path('bare-server.ts'), ...words], {
    folder: world.folder,
    sign,
    env: process.env,
  });
  return { ...child, address: sign.exec(child.said())![1]! };
};
const echo = await bare('echo');
const insertServer = await bare('insert', await sample('over-http.sqlite'));
const file = await sample('bare.sqlite');

const overHttp =
  ({ address, processorTime }: OwnProcess & { readonly address: string }) =>
  async (): Promise<Turn> => {
    const before = processorTime();
    const { answered, failed, milliseconds, p99 } = await load.send({
      ...order,
      addresses: [address],
    });
    if (failed > 0)
      throw new Error(`${failed} of ${answered + failed} requests to ${address} failed`);
    return {
      rate: (answered / milliseconds) * 1_000,
      cost: ((processorTime() - before) * 1_000) / answered,
      p99,
    };
  };
const alone = async (): Promise<Turn> => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [path('bare-insert-process.ts'), file, String(MILLISECONDS)],
    { encoding: 'utf8' },
  );
  const [, kept, milliseconds] = /^(\d+) in ([\d.]+)/.exec(stdout) ?? [];
  if (kept === undefined) throw new Error(stderr);
  return { rate: (Number(kept) / Number(milliseconds)) * 1_000, cost: NaN, p99: NaN };
};
const contenders = [
  { name: "this server's accept", take: overHttp(server) },
  { name: "the framework's echo of the same body", take: overHttp(echo) },
  { name: 'a durable row a transaction, behind the same framework', take: overHttp(insertServer) },
  { name: 'a durable row a transaction, without any HTTP', take: alone },
];

const turns = contenders.map((): Turn[] => []);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [index, { take }] of contenders.entries()) turns[index]!.push(await take());
}

load.stop();
await Promise.all([echo.kill(), insertServer.kill()]);

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
const ratio = (index: number): number =>
  median(turns[0]!.map(({ rate }, round) => rate / turns[index]![round]!.rate));
const whole = (number: number): string =>
  Number.isNaN(number) ? '' : Math.round(number).toLocaleString('en');
const text = `${machine()} ${DONORS} donors at once, ${ROUNDS} rounds in turns of ${MILLISECONDS / 1_000} s, medians.

${table([
  ['what', 'a second', 'processor, µs each', 'p99, ms', 'accept in ratio to it'],
  ...contenders.map(({ name }, index) => {
    const of = (key: keyof Turn): number => median(turns[index]!.map((turn) => turn[key]));
    const p99 = of('p99');
    return [
      name,
      whole(of('rate')),
      whole(of('cost')),
      Number.isNaN(p99) ? '' : p99.toFixed(1),
      index === 0 ? '' : ratio(index).toFixed(2),
    ];
  }),
])}

Goal: ${GOAL.toFixed(1)} times the durable row a transaction without any HTTP: ${ratio(3) >= GOAL ? 'met' : '**missed**'}, ${ratio(3).toFixed(2)}.`;
console.log(text);
await writeBetween('docs/scale.md', 'bench', text);
process.exitCode = ratio(3) >= GOAL ? 0 : 1;
