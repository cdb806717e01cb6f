/** Simulates monthly donations day by day. */
import { createRandomGenerator } from '../../src/sandbox/data/random.ts';
import type { Period } from '../../src/server/lib/period.ts';
import { reconcile } from '../../src/server/reporting/reconcile.ts';
import { countRows } from './audit.ts';
import type { MonthlySums } from './monthly-audit.ts';
import { type MonthlyDonor, scheduleMonth, startDonating } from './monthly-donors.ts';
import { sumDatabase, sumPlatform, sumStripe } from './monthly-sums.ts';
import { DAY, type MonthlyWorld, openMonthlyWorld, ORGANIZATION } from './monthly-world.ts';

export interface MonthlyOptions {
  readonly donors: number;
  readonly months: number;
  /** Decides what donors do, and which calls and webhooks fail. */
  readonly seed: number;
}

export interface MonthlyResult {
  readonly sums: MonthlySums;
  /** Number of donations and outbox rows that need review or are not final. */
  readonly unfinishedRows: number;
  /** Number of differences that `reconcile` lists at the end. */
  readonly differences: number;
  /** What happened, and how often. */
  readonly counts: ReadonlyMap<string, number>;
}

const DAYS_IN_MONTH = 30;
/** Days that `reconcile` covers each month. */
const RECONCILED_DAYS = 33;
/** Days without failures at the end, in which each recurring donation is due once. */
const QUIET_DAYS = 32;
const MAX_RECONCILIATIONS = 20;
const MINUTE = 60_000;

export async function simulateMonths({
  donors: donorCount,
  months,
  seed,
}: MonthlyOptions): Promise<MonthlyResult> {
  await using world = await openMonthlyWorld(seed);
  const counts = new Map<string, number>();
  const simulation = new Simulation(world, createRandomGenerator(seed), counts);
  const start = world.now();
  for (let month = 0; month < months; month += 1) {
    await simulation.runMonth(month, month === 0 ? donorCount : 0);
    await world.restartServer();
    await reconcileMonths(world, { from: world.now() - RECONCILED_DAYS * DAY, to: world.now() });
  }
  world.endFaults();
  for (let day = 0; day <= QUIET_DAYS; day += 1) await simulation.runDay();
  for (let from = start; from < world.now(); from += DAYS_IN_MONTH * DAY)
    await reconcileMonths(world, { from, to: from + DAYS_IN_MONTH * DAY });
  await simulation.runDay();
  const { delivered, repeated, lost } = world.webhooks;
  return {
    sums: {
      stripe: sumStripe(world.stripe),
      database: await sumDatabase(world.server()),
      platform: await sumPlatform(world),
    },
    unfinishedRows:
      (await countRows(world.database, `donations WHERE status NOT IN ('succeeded', 'failed')`)) +
      (await countRows(world.database, `outbox WHERE status <> 'delivered'`)),
    differences: await reconcileMonths(world, { from: start, to: world.now() }, false),
    counts: new Map([
      ...counts,
      ['webhooks delivered', delivered],
      ['webhooks delivered twice', repeated],
      ['webhooks that never arrived', lost],
    ]),
  };
}

class Simulation {
  readonly #world: MonthlyWorld;
  readonly #random: () => number;
  readonly #counts: Map<string, number>;
  readonly #donors: MonthlyDonor[] = [];
  /** What will happen, by day. */
  readonly #plan = new Map<number, (() => void)[]>();
  #day = 0;

  constructor(world: MonthlyWorld, random: () => number, counts: Map<string, number>) {
    this.#world = world;
    this.#random = random;
    this.#counts = counts;
  }

  /** Runs 30 days. @param newDonors number of donors who start in this month. */
  async runMonth(month: number, newDonors: number): Promise<void> {
    const { setPlatformDown, webhooks, restartServer } = this.#world;
    for (const donor of this.#donors) this.#scheduleActions(donor);
    const failingDay = 5 + Math.floor(this.#random() * 15);
    for (let day = 0; day < DAYS_IN_MONTH; day += 1) {
      const failingFor = day - failingDay;
      setPlatformDown(month % 3 === 1 && failingFor >= 0 && failingFor < 3);
      webhooks.isDown = month % 4 === 2 && failingFor >= 0 && failingFor < 2;
      if (failingFor === 1) await restartServer();
      await this.#startDonors(Math.ceil((newDonors * (day + 1)) / DAYS_IN_MONTH));
      await this.runDay();
    }
  }

  async runDay(): Promise<void> {
    const { advance, now, deliverWebhooks, runJobs } = this.#world;
    for (const action of this.#plan.get(this.#day) ?? []) action();
    advance(DAY - (now() % DAY));
    await deliverWebhooks();
    await runJobs();
    this.#day += 1;
  }

  /** Starts donors until there are `count`. */
  async #startDonors(count: number): Promise<void> {
    while (this.#donors.length < count) {
      const donor = await startDonating(this.#world, this.#donors.length, this.#random);
      this.#donors.push(donor);
      this.#world.advance(MINUTE);
    }
  }

  #scheduleActions(donor: MonthlyDonor): void {
    scheduleMonth({
      donor,
      stripe: this.#world.stripe,
      random: this.#random,
      schedule: (days, action) => {
        const due = this.#day + 1 + Math.floor(days);
        this.#plan.set(due, [...(this.#plan.get(due) ?? []), action]);
      },
      count: (name) => this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1),
    });
  }
}

/**
 * Runs `reconcile`, again while calls fail.
 * @returns the number of differences.
 */
async function reconcileMonths(
  { server, advance }: MonthlyWorld,
  period: Period,
  apply = true,
): Promise<number> {
  const { organizations, donationServices, ...context } = server();
  const organization = organizations.find(ORGANIZATION)!;
  const donations = donationServices.find(ORGANIZATION)!;
  for (let run = 1; run <= MAX_RECONCILIATIONS; run += 1) {
    let differences = 0;
    let isComplete = true;
    for await (const { kind } of reconcile(
      { period, apply, includeRows: false },
      { ...context, organization, donations },
    )) {
      if (kind === 'difference') differences += 1;
      if (kind === 'not-compared') isComplete = false;
    }
    if (isComplete) return differences;
    advance(MINUTE);
  }
  throw new Error(`Reconcile failed ${MAX_RECONCILIATIONS} times in a row.`);
}
