/** Bars 1 and 2: the server or PostgreSQL is killed while donors give. */
import { setTimeout } from 'node:timers/promises';
import { findPostgresBinaries, startPostgres, type Postgres } from '../postgres.ts';
import { auditDonations, waitUntilProcessed } from './audit.ts';
import { createMaximumFigure, createExactFigure, type Bar, type Figure } from './figure.ts';
import { makeDonations, type CompletedDonation, type DonorOptions } from './donors.ts';
import type { SandboxOptions } from './sandbox.ts';
import { findFreePort, openWorld, fetchForm, type World } from './world.ts';

export const FAILURES = { replyLossRate: 0.05, refusalRate: 0.03 };
/**
 * Speed of the server's clock. If servers share a database, they wait up to a minute for the
 * unfinished calls of a dead one, which would be most of the time of 20 kills.
 */
const SPEED = 20;
/** Timeout for recording the last donation on the platform, in milliseconds. */
const TIMEOUT = 180_000;

export interface KillsOptions {
  /** Number of donations. */
  readonly count: number;
  readonly kills: number;
  readonly donors?: number;
  /** Without it, the database is an SQLite file. */
  readonly postgres?: { readonly url: string } | undefined;
  /** Provider of the payments. Default: `stripe`. */
  readonly provider?: 'stripe' | 'paypal';
  /** Speed of the server's clock, which shortens its waits for calls and other servers. */
  readonly speed?: number;
}

export interface KillsResult {
  readonly figures: readonly Figure[];
  /** From the first donation until the last one is recorded on the platform. */
  readonly seconds: number;
  /** From the first donation until the last donor has a final outcome. */
  readonly donorSeconds: number;
}

export interface PostgresKillsResult extends KillsResult {
  /** From a kill until the next completed donation, in seconds. */
  readonly longestOutage: number;
}

/** Makes donations while the server is killed and restarted at regular intervals. */
export async function killServer({
  count,
  kills,
  donors = 32,
  postgres,
  provider,
  speed = 1,
}: KillsOptions): Promise<KillsResult> {
  await using world = await openWorld({
    sandbox: { ...FAILURES, ...createClockOptions(speed) },
    postgres,
    provider,
  });
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  let server = await world.startServer(port);
  let killed = 0;
  const start = performance.now();
  const completed = await runDuringDonations(
    world,
    [url],
    { count, donors },
    async (waitForCount) => {
      killed = await killAtIntervals({ count, kills }, waitForCount, async () => {
        await server.kill();
        server = await world.startServer(port);
      });
    },
  );
  const donorSeconds = secondsSince(start);
  await waitUntilProcessed(world.database, TIMEOUT);
  return {
    figures: [
      createExactFigure('server kills', killed, kills),
      ...(await checkDonations(world, completed, count)),
    ],
    seconds: secondsSince(start),
    donorSeconds,
  };
}

/** See scaled-clock.ts. */
export const createClockOptions = (speed: number): SandboxOptions =>
  speed === 1 ? {} : { clock: `${Date.now()},${Date.now()},${speed}` };

/** Makes donations while PostgreSQL is killed and restarted at regular intervals. */
export async function killPostgres({
  count,
  kills,
  donors = 32,
  postgres,
  speed = 1,
}: KillsOptions & { readonly postgres: Postgres }): Promise<PostgresKillsResult> {
  await using world = await openWorld({ sandbox: createClockOptions(speed), postgres });
  const { url } = await world.startServer();
  const start = performance.now();
  const outages: number[] = [];
  const recoveries: number[] = [];
  const completed = await runDuringDonations(
    world,
    [url],
    { count, donors },
    async (waitForCount, getCount) => {
      await killAtIntervals({ count, kills }, waitForCount, async () => {
        const killedAt = performance.now();
        await postgres.crash();
        const restartedAt = performance.now();
        await waitForCount(getCount() + 1);
        outages.push(secondsSince(killedAt));
        recoveries.push(secondsSince(restartedAt));
      });
    },
  );
  const donorSeconds = secondsSince(start);
  await waitUntilProcessed(world.database, TIMEOUT);
  return {
    figures: [
      createExactFigure('PostgreSQL kills', outages.length, kills),
      createMaximumFigure(
        'longest time from a restart to the next completed donation',
        Math.max(...recoveries),
        5,
        's',
      ),
      ...(await checkDonations(world, completed, count)),
    ],
    seconds: secondsSince(start),
    donorSeconds,
    longestOutage: Math.max(...outages),
  };
}

/**
 * Kills something at regular intervals during a number of donations.
 * @param waitForCount see {@link runDuringDonations}.
 * @param kill receives the number of earlier kills.
 * @returns the number of kills.
 */
export async function killAtIntervals(
  { count, kills }: Pick<KillsOptions, 'count' | 'kills'>,
  waitForCount: (count: number) => Promise<boolean>,
  kill: (killed: number) => Promise<void>,
): Promise<number> {
  let killed = 0;
  while (killed < kills && (await waitForCount((count * (killed + 1)) / (kills + 1)))) {
    await kill(killed);
    killed += 1;
  }
  return killed;
}

/**
 * Makes donations while a task runs.
 * @param urls URLs of the servers, which the donors use in turn.
 * @param task receives two functions: one waits for a number of completed donations and returns
 *   false if the donors finish first; the other returns the number so far.
 */
export async function runDuringDonations(
  world: World,
  urls: readonly [string, ...string[]],
  { count, donors, patience }: Pick<DonorOptions, 'count' | 'donors' | 'patience'>,
  task: (
    waitForCount: (count: number) => Promise<boolean>,
    getCount: () => number,
  ) => Promise<void>,
): Promise<CompletedDonation[]> {
  let completed = 0;
  let isFinished = false;
  const donations = makeDonations({
    urls,
    form: await fetchForm(urls[0]),
    createPayment: world.createPayment,
    count,
    donors,
    patience,
    onCompleted: (current) => {
      completed = current;
    },
  }).finally(() => {
    isFinished = true;
  });
  const waitForCount = async (target: number): Promise<boolean> => {
    while (completed < target && !isFinished) await setTimeout(2);
    return completed >= target;
  };
  const [all] = await Promise.all([donations, task(waitForCount, () => completed)]);
  return all;
}

export async function checkDonations(
  { database, sandbox }: World,
  completed: readonly CompletedDonation[],
  count: number,
): Promise<Figure[]> {
  return [
    createExactFigure('donors with a final outcome', completed.length, count),
    ...(await auditDonations(database, completed, await sandbox.getRecord())),
  ];
}

async function measureRecoveryFromKills(postgres?: Postgres): Promise<Figure[]> {
  const { figures, seconds, donorSeconds } = await killServer({
    count: 2_000,
    kills: 20,
    speed: SPEED,
    postgres,
  });
  const delay = Math.round((seconds - donorSeconds) * SPEED);
  return [
    ...figures,
    createMaximumFigure('time until the last outcome', donorSeconds, 60, 's'),
    {
      label:
        "time from the last outcome until the platform has the last donation, by the server's clock",
      value: `${delay.toLocaleString('en')} s`,
      target: 'completes',
      isMet: true,
    },
  ];
}

const secondsSince = (start: number): number => (performance.now() - start) / 1_000;

export const addDatabaseToLabels = (database: string, figures: readonly Figure[]): Figure[] =>
  figures.map((figure) => ({ ...figure, label: `${database}: ${figure.label}` }));

export const bars: readonly Bar[] = [
  {
    number: 1,
    description: `the server is killed 20 times (kill -9) during 2,000 donations, with 5% of replies lost, 3% of calls refused, and the clock at ×${SPEED}`,
    async run() {
      using cluster = await startOwnPostgres();
      return [
        ...addDatabaseToLabels('SQLite', await measureRecoveryFromKills()),
        ...addDatabaseToLabels('PostgreSQL', await measureRecoveryFromKills(cluster.postgres)),
      ];
    },
  },
  {
    number: 2,
    description: 'PostgreSQL is killed 5 times during 2,000 donations',
    async run() {
      using cluster = await startOwnPostgres();
      const { figures, longestOutage } = await killPostgres({
        count: 2_000,
        kills: 5,
        postgres: cluster.postgres,
      });
      return [
        ...figures,
        createMaximumFigure(
          'longest time from a kill to the next completed donation',
          longestOutage,
          5,
          's',
        ),
      ];
    },
  },
];

/** Starts a PostgreSQL server that stops when it is disposed. */
export async function startOwnPostgres(): Promise<Disposable & { readonly postgres: Postgres }> {
  if (findPostgresBinaries() === undefined)
    throw new Error(
      'PostgreSQL is not installed, so this bar did not run: apt-get install postgresql',
    );
  const postgres = await startPostgres();
  return { postgres, [Symbol.dispose]: postgres.stop };
}
