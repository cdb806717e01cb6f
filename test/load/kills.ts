/** Bars 1 and 2: the server, and PostgreSQL, are killed while donors give. */
import { setTimeout } from 'node:timers/promises';
import { findPostgresBinaries, startPostgres, type Postgres } from '../postgres.ts';
import { audit, drained } from './audit.ts';
import { atMost, exactly, type Bar, type Figure } from './bar.ts';
import { give, type Told } from './donors.ts';
import type { SandboxOrder } from './sandbox.ts';
import { freePort, openWorld, seeForm, type World } from './world.ts';

/** 5 % of replies lost after the work was done, 3 % of calls refused. */
const TROUBLE = { lost: 0.05, refused: 0.03 };
/**
 * Where several servers may share the database, what a dead one had begun is waited for up to a
 * minute, by its donors too: that would be most of the time of 20 kills.
 */
const SPEED = 20;
/** How long the platform may take to be told of the last gift. */
const PATIENCE = 180_000;

export interface KillsOptions {
  readonly gifts: number;
  readonly kills: number;
  readonly donors?: number;
  /** A PostgreSQL; without one, the database is an SQLite file. */
  readonly postgres?: { readonly url: string } | undefined;
  /**
   * How many times as fast as the machine's the server's clock is: so much shorter it waits for a
   * call that may still be on its way, or for another server.
   */
  readonly speed?: number;
}

export interface KillsResult {
  readonly figures: readonly Figure[];
  /** From the first gift until the platform knows the last one. */
  readonly seconds: number;
  readonly donorSeconds: number;
}

export interface PostgresKillsResult extends KillsResult {
  /** From PostgreSQL's end until a gift was taken again, its own start included. */
  readonly longestPause: number;
}

/** Gifts while the server is killed, at even distances, and started again. */
export async function killServer({
  gifts,
  kills,
  donors = 32,
  postgres,
  speed = 1,
}: KillsOptions): Promise<KillsResult> {
  await using world = await openWorld({
    sandbox: { ...TROUBLE, ...clockAt(speed) },
    postgres,
  });
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  let server = await world.serve(port);
  let killed = 0;
  const began = performance.now();
  const all = await whileGiving(world, address, { gifts, donors }, async (toldEnough) => {
    while (killed < kills && (await toldEnough((gifts * (killed + 1)) / (kills + 1)))) {
      await server.kill();
      server = await world.serve(port);
      killed += 1;
    }
  });
  const donorSeconds = since(began);
  await drained(world.database, PATIENCE);
  return {
    figures: [exactly('server killed', killed, kills), ...(await judged(world, all, gifts))],
    seconds: since(began),
    donorSeconds,
  };
}

/** See scaled-clock.ts. */
const clockAt = (speed: number): SandboxOrder =>
  speed === 1 ? {} : { clock: `${Date.now()},${Date.now()},${speed}` };

/** Gifts while PostgreSQL is killed, at even distances, and started again. */
export async function killPostgres({
  gifts,
  kills,
  donors = 32,
  postgres,
  speed = 1,
}: KillsOptions & { readonly postgres: Postgres }): Promise<PostgresKillsResult> {
  await using world = await openWorld({ sandbox: clockAt(speed), postgres });
  const { address } = await world.serve();
  const began = performance.now();
  const pauses: number[] = [];
  const returns: number[] = [];
  const all = await whileGiving(world, address, { gifts, donors }, async (toldEnough, told) => {
    while (
      pauses.length < kills &&
      (await toldEnough((gifts * (pauses.length + 1)) / (kills + 1)))
    ) {
      const crashed = performance.now();
      await postgres.crash();
      const back = performance.now();
      await toldEnough(told() + 1);
      pauses.push(since(crashed));
      returns.push(since(back));
    }
  });
  const donorSeconds = since(began);
  await drained(world.database, PATIENCE);
  return {
    figures: [
      exactly('PostgreSQL killed', pauses.length, kills),
      atMost(
        'from its answering again until a gift was taken, at most',
        Math.max(...returns),
        5,
        's',
      ),
      ...(await judged(world, all, gifts)),
    ],
    seconds: since(began),
    donorSeconds,
    longestPause: Math.max(...pauses),
  };
}

/**
 * Does something beside the donors, who go on until all gifts were given.
 * @param beside gets what waits until so many were told how their gifts ended, and says whether
 *   it came to that; and how many were told so far.
 */
async function whileGiving(
  world: World,
  address: string,
  { gifts, donors }: { readonly gifts: number; readonly donors: number },
  beside: (toldEnough: (count: number) => Promise<boolean>, told: () => number) => Promise<void>,
): Promise<Told[]> {
  let told = 0;
  let isOver = false;
  const giving = give({
    addresses: [address],
    seen: await seeForm(address),
    tokens: world.sandbox.tokens,
    gifts,
    donors,
    onTold: (now) => {
      told = now;
    },
  }).finally(() => {
    isOver = true;
  });
  const toldEnough = async (count: number): Promise<boolean> => {
    while (told < count && !isOver) await setTimeout(2);
    return told >= count;
  };
  const [all] = await Promise.all([giving, beside(toldEnough, () => told)]);
  return all;
}

async function judged(
  { database, sandbox }: World,
  told: readonly Told[],
  gifts: number,
): Promise<Figure[]> {
  const witness = await sandbox.witness();
  return [
    exactly('donors answered', told.length, gifts),
    ...(await audit(database, told, witness)),
  ];
}

async function killed(postgres?: Postgres): Promise<Figure[]> {
  const { figures, seconds, donorSeconds } = await killServer({
    gifts: 2_000,
    kills: 20,
    speed: SPEED,
    postgres,
  });
  const behind = Math.round((seconds - donorSeconds) * SPEED);
  return [
    ...figures,
    atMost('until the last donor was answered', donorSeconds, 60, 's'),
    {
      what: "from then on until the platform knew the last gift, by the server's clock",
      figure: `${behind.toLocaleString('en')} s`,
      target: 'an end',
      isMet: true,
    },
  ];
}

const since = (began: number): number => (performance.now() - began) / 1_000;

const named = (database: string, figures: readonly Figure[]): Figure[] =>
  figures.map((figure) => ({ ...figure, what: `${database}: ${figure.what}` }));

export const bars: readonly Bar[] = [
  {
    number: 1,
    about: `kill -9 of the server 20 times during 2,000 gifts, 5 % of replies lost, 3 % refused; the server's clock ${SPEED} times as fast`,
    async run() {
      using cluster = await ownPostgres();
      return [
        ...named('SQLite', await killed()),
        ...named('PostgreSQL', await killed(cluster.postgres)),
      ];
    },
  },
  {
    number: 2,
    about: 'PostgreSQL killed 5 times during 2,000 gifts',
    async run() {
      using cluster = await ownPostgres();
      const { figures, longestPause } = await killPostgres({
        gifts: 2_000,
        kills: 5,
        postgres: cluster.postgres,
      });
      return [
        ...figures,
        atMost(
          'from its end until a gift was taken again, its own start included, at most',
          longestPause,
          5,
          's',
        ),
      ];
    },
  },
];

async function ownPostgres(): Promise<Disposable & { readonly postgres: Postgres }> {
  if (findPostgresBinaries() === undefined)
    throw new Error(
      'PostgreSQL is not installed, so this bar was not tried: apt-get install postgresql',
    );
  const postgres = await startPostgres();
  return { postgres, [Symbol.dispose]: postgres.stop };
}
