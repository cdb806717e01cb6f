/** Bars 1 and 2: the server or PostgreSQL is killed while donors give. */
import { setTimeout } from 'node:timers/promises';
import { findPostgresBinaries, type Postgres, startPostgres } from '../postgres.ts';
import { auditDonations, waitUntilProcessed } from './audit.ts';
import { type CompletedDonation, type DonorOptions, makeDonations } from './donors.ts';
import { type Bar, createExactFigure, createMaximumFigure, type Figure } from './figure.ts';
import type { SandboxOptions } from './sandbox.ts';
import { fetchForm, findFreePort, openWorld, type World, type WorldOptions } from './world.ts';

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
  readonly postgres?: WorldOptions['postgres'];
  readonly provider?: WorldOptions['provider'];
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

/** Makes donations while the server is killed and restarted at regular intervals. */
export async function killServer({
  postgres,
  provider,
  speed = 1,
  ...options
}: KillsOptions): Promise<KillsResult> {
  await using world = await openWorld({
    sandbox: { ...FAILURES, ...createClockOptions(speed) },
    postgres,
    provider,
  });
  const start = performance.now();
  const { killed, completed } = await killServersInTurn(world, options);
  const donorSeconds = secondsSince(start);
  await waitUntilProcessed(world.database, TIMEOUT);
  return {
    figures: [
      createExactFigure('server kills', killed, options.kills),
      ...(await checkDonations(world, completed, options.count)),
    ],
    seconds: secondsSince(start),
    donorSeconds,
  };
}

/**
 * Makes donations at one server or several, which are killed and restarted in turn.
 * @param clocks of the servers, see scaled-clock.ts; one with the sandbox's clock by default.
 */
export async function killServersInTurn(
  world: World,
  options: KillingOptions,
  clocks: readonly (string | undefined)[] = [undefined],
): Promise<KillingResult> {
  const ports = await Promise.all(clocks.map(findFreePort));
  const start = (index: number) => world.startServer(ports[index], clocks[index]);
  const servers = await Promise.all(clocks.map((_, index) => start(index)));
  const urls = servers.map(({ url }) => url);
  return killDuringDonations(world, urls, options, async (killed) => {
    const index = killed % servers.length;
    await servers[index]!.kill();
    servers[index] = await start(index);
  });
}

/** See scaled-clock.ts. */
export const createClockOptions = (speed: number): SandboxOptions =>
  speed === 1 ? {} : { clock: `${Date.now()},${Date.now()},${speed}` };

/**
 * Makes donations while PostgreSQL is killed and restarted at regular intervals.
 * @returns also the longest time from a kill until the next completed donation, in seconds.
 */
export async function killPostgres({
  postgres,
  speed = 1,
  ...options
}: KillsOptions & { readonly postgres: Postgres }): Promise<{
  readonly figures: readonly Figure[];
  readonly longestOutage: number;
}> {
  await using world = await openWorld({ sandbox: createClockOptions(speed), postgres });
  const { url } = await world.startServer();
  const outages: number[] = [];
  const recoveries: number[] = [];
  const { completed } = await killDuringDonations(
    world,
    [url],
    options,
    async (_killed, waitForNextDonation) => {
      const killedAt = performance.now();
      await postgres.crash();
      const restartedAt = performance.now();
      await waitForNextDonation();
      outages.push(secondsSince(killedAt));
      recoveries.push(secondsSince(restartedAt));
    },
  );
  await waitUntilProcessed(world.database, TIMEOUT);
  return {
    figures: [
      createExactFigure('PostgreSQL kills', outages.length, options.kills),
      createMaximumFigure(
        'longest time from a restart to the next completed donation',
        Math.max(...recoveries),
        5,
        's',
      ),
      ...(await checkDonations(world, completed, options.count)),
    ],
    longestOutage: Math.max(...outages),
  };
}

type KillingOptions = Pick<KillsOptions, 'count' | 'kills' | 'donors'> &
  Pick<DonorOptions, 'patience'>;

interface KillingResult {
  readonly killed: number;
  readonly completed: readonly CompletedDonation[];
}

/**
 * Makes donations, and kills something at regular intervals.
 * @param urls URLs of the servers, which the donors use in turn.
 * @param kill receives the number of earlier kills, and a function that waits for a donation.
 */
async function killDuringDonations(
  world: World,
  urls: readonly string[],
  { count, kills, donors = 32, patience }: KillingOptions,
  kill: (killed: number, waitForNextDonation: () => Promise<unknown>) => Promise<void>,
): Promise<KillingResult> {
  let made = 0;
  let isFinished = false;
  const donations = makeDonations({
    urls,
    form: await fetchForm(urls[0]!),
    createPayment: world.createPayment,
    count,
    donors,
    patience,
    onCompleted: (completed) => {
      made = completed;
    },
  }).finally(() => {
    isFinished = true;
  });
  /** Returns false if the donors finish first. */
  const waitForDonations = async (target: number): Promise<boolean> => {
    while (made < target && !isFinished) await setTimeout(2);
    return made >= target;
  };
  let killed = 0;
  const killAtIntervals = async (): Promise<void> => {
    while (killed < kills && (await waitForDonations((count * (killed + 1)) / (kills + 1)))) {
      await kill(killed, () => waitForDonations(made + 1));
      killed += 1;
    }
  };
  const [completed] = await Promise.all([donations, killAtIntervals()]);
  return { killed, completed };
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
