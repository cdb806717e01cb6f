import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { DonationStatus } from '@donation-form/core/donation';
import { selectPayloadField } from '../database/payload-field.ts';
import type { Tables } from '../database/schema.ts';
import type { Period } from '../lib/period.ts';
import { calculateIncomePeriods, type ReportDay } from './income-periods.ts';

export interface CountAndTotal {
  readonly count: number;
  /** In minor units. */
  readonly total: number;
}

/**
 * Income of a period in one currency. As in reports and exports, a donation counts on the day on
 * which the server accepted it, and a renewal on the day of its payment. Totals include covered
 * fees.
 */
export interface CurrencyIncome {
  readonly currency: string;
  readonly decimals: number;
  /** Charged one-time donations, before refunds. */
  readonly once: CountAndTotal;
  /** Charged recurring donations and renewals, before refunds. */
  readonly recurring: CountAndTotal;
  readonly outstanding: CountAndTotal;
  /**
   * Refunds made in the period, even of earlier donations, minus those that failed in the period.
   */
  readonly refunded: CountAndTotal;
}

/** Income by currency. The currency with the most donations comes first. */
export type Income = readonly CurrencyIncome[];

export interface ComparedIncome {
  readonly current: Income;
  readonly previous: Income;
}

export interface IncomeReport {
  /** Milliseconds since 1970. */
  readonly asOf: number;
  readonly today: ComparedIncome;
  /** Since Monday. */
  readonly week: ComparedIncome;
  readonly month: ComparedIncome;
  /** The last 30 days, oldest first. */
  readonly days: readonly (Pick<ReportDay, 'date'> & { readonly income: Income })[];
}

type Kind = 'once' | 'recurring' | 'outstanding' | 'refunded';
/** Count and total of one kind and currency between two period boundaries. */
interface Part extends CountAndTotal {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly kind: Kind;
  readonly currency: string;
  readonly decimals: number;
}

/** Queries each day separately, because long SQLite queries would block the server. */
export async function countIncome(
  db: Kysely<Tables>,
  options: { organization: string; timeZone: string; isTest: boolean; now: number },
): Promise<IncomeReport> {
  const { organization, timeZone, isTest, now } = options;
  const { boundaries, days, ...compared } = calculateIncomePeriods(now, timeZone);
  const parts: Part[] = [];
  for (const [index, from] of boundaries.entries()) {
    const to = boundaries[index + 1];
    if (to === undefined) break;
    const found = await Promise.all([
      countDonations(db, organization, isTest, { from, to }),
      countEvents(db, organization, isTest, { from, to }),
    ]);
    parts.push(...found.flat().map((part) => ({ ...part, from })));
    await setImmediate();
  }
  const sumPeriod = ({ from, to }: Period): Income =>
    sumParts(parts.filter((part) => part.from >= from && part.from < to));
  const sumCompared = ({ current, previous }: typeof compared.today): ComparedIncome => ({
    current: sumPeriod(current),
    previous: sumPeriod(previous),
  });
  return {
    asOf: now,
    today: sumCompared(compared.today),
    week: sumCompared(compared.week),
    month: sumCompared(compared.month),
    days: days.map((day) => ({ date: day.date, income: sumPeriod(day) })),
  };
}

async function countDonations(
  db: Kysely<Tables>,
  organization: string,
  isTest: boolean,
  { from, to }: Period,
): Promise<Omit<Part, 'from'>[]> {
  const rows = await db
    .selectFrom('donations')
    .where('organization', '=', organization)
    .where('createdAt', '>=', from)
    .where('createdAt', '<', to)
    .where('status', 'in', ['succeeded', 'processing'])
    .select(({ fn }) => [
      'status',
      ...selectCommonFields(db),
      fn.countAll<number | bigint | string>().as('count'),
      sql<
        number | string
      >`sum(CAST(${selectPayloadField(db, 'donations', ['gift', 'total'])} AS bigint))`.as('total'),
    ])
    .groupBy(['status', 'currency', 'decimals', 'frequency', 'isTest'])
    .execute();
  return rows
    .filter((row) => isTestDonation(row.isTest) === isTest)
    .map((row) => toPart(row, getDonationKind(row.status, row.frequency)));
}

function getDonationKind(status: DonationStatus, frequency: string): Kind {
  if (status === 'processing') return 'outstanding';
  return frequency === 'once' ? 'once' : 'recurring';
}

/** Subtracts refunds that failed in the period. */
async function countEvents(
  db: Kysely<Tables>,
  organization: string,
  isTest: boolean,
  { from, to }: Period,
): Promise<Omit<Part, 'from'>[]> {
  const rows = await db
    .selectFrom('outbox')
    .innerJoin('donations', (join) =>
      join.on(
        sql<boolean>`donations.reference = coalesce(outbox.parent_reference, outbox.reference)`,
      ),
    )
    .where('outbox.organization', '=', organization)
    .where('outbox.kind', 'in', ['renewal', 'refund', 'refund_failed'])
    .where('outbox.happenedAt', '>=', from)
    .where('outbox.happenedAt', '<', to)
    .select(({ fn }) => [
      'outbox.kind',
      ...selectCommonFields(db),
      fn.countAll<number | bigint | string>().as('count'),
      sql<
        number | string
      >`sum(CAST(coalesce(${selectPayloadField(db, 'outbox', ['amount'])}, ${sql.lit('0')}) AS numeric))`.as(
        'total',
      ),
    ])
    .groupBy(['outbox.kind', 'currency', 'decimals', 'frequency', 'isTest'])
    .execute();
  return rows
    .filter((row) => isTestDonation(row.isTest) === isTest)
    .map((row) =>
      row.kind === 'renewal'
        ? toPart(row, 'recurring')
        : toPart(row, 'refunded', row.kind === 'refund_failed' ? -1 : 1),
    );
}

function selectCommonFields(db: Kysely<Tables>) {
  return [
    selectPayloadField(db, 'donations', ['gift', 'currency']).as('currency'),
    selectPayloadField<number | string>(db, 'donations', ['decimals']).as('decimals'),
    selectPayloadField(db, 'donations', ['gift', 'frequency']).as('frequency'),
    selectPayloadField<number | string>(db, 'donations', ['isTest']).as('isTest'),
  ] as const;
}

/** SQLite returns a JSON Boolean as a number, PostgreSQL as text. */
function isTestDonation(value: number | string): boolean {
  return value === 1 || value === 'true';
}

function toPart(
  row: {
    readonly currency: string;
    readonly decimals: number | string;
    readonly count: number | bigint | string;
    readonly total: number | string;
  },
  kind: Kind,
  sign = 1,
): Omit<Part, 'from'> {
  return {
    kind,
    currency: row.currency,
    decimals: Number(row.decimals),
    count: sign * Number(row.count),
    total: sign * Number(row.total),
  };
}

function sumParts(parts: readonly Part[]): Income {
  return [...Map.groupBy(parts, ({ currency }) => currency)]
    .map(([currency, ofCurrency]) => {
      const sumKind = (kind: Kind): CountAndTotal =>
        ofCurrency
          .filter((part) => part.kind === kind)
          .reduce(
            (sum, { count, total }) => ({ count: sum.count + count, total: sum.total + total }),
            { count: 0, total: 0 },
          );
      return {
        currency,
        decimals: ofCurrency[0]!.decimals,
        once: sumKind('once'),
        recurring: sumKind('recurring'),
        outstanding: sumKind('outstanding'),
        refunded: sumKind('refunded'),
      };
    })
    .sort((one, other) => countReceived(other) - countReceived(one));
}

export function countReceived({ once, recurring }: CurrencyIncome): number {
  return once.count + recurring.count;
}

/** In minor units. */
export function sumReceived({ once, recurring }: CurrencyIncome): number {
  return once.total + recurring.total;
}
