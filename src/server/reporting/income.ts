import { setImmediate } from 'node:timers/promises';
import { type Expression, type Kysely, sql } from 'kysely';
import type { DonationStatus } from '@donation-form/core/donation';
import { selectPayloadField } from '../database/payload-field.ts';
import type { Tables } from '../database/schema.ts';
import type { Period } from '../lib/period.ts';
import { sumAmounts } from '../lib/sum-amounts.ts';
import { calculateIncomePeriods } from './income-periods.ts';

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

export type IncomeReport = Awaited<ReturnType<typeof countIncome>>;

const KINDS = ['once', 'recurring', 'outstanding', 'refunded'] as const;
type Kind = (typeof KINDS)[number];

/** Count and total of one kind and currency. */
export interface Part<Kind extends string> extends CountAndTotal {
  readonly kind: Kind;
  readonly currency: string;
  readonly decimals: number;
}

/** Queries each day separately, because long SQLite queries would block the server. */
export async function countIncome(
  db: Kysely<Tables>,
  options: { organization: string; timeZone: string; isTest: boolean; now: number },
) {
  const { organization, timeZone, isTest, now } = options;
  const { boundaries, days, ...compared } = calculateIncomePeriods(now, timeZone);
  const parts: (Part<Kind> & Pick<Period, 'from'>)[] = [];
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
    sumByCurrency(
      parts.filter((part) => part.from >= from && part.from < to),
      KINDS,
    ).sort((one, other) => countReceived(other) - countReceived(one));
  const sumCompared = ({ current, previous }: typeof compared.today): ComparedIncome => ({
    current: sumPeriod(current),
    previous: sumPeriod(previous),
  });
  return {
    /** Milliseconds since 1970. */
    asOf: now,
    today: sumCompared(compared.today),
    /** Since Monday. */
    week: sumCompared(compared.week),
    month: sumCompared(compared.month),
    /** The last 30 days, oldest first. */
    days: days.map((day) => ({ date: day.date, income: sumPeriod(day) })),
  };
}

async function countDonations(
  db: Kysely<Tables>,
  organization: string,
  isTest: boolean,
  { from, to }: Period,
): Promise<Part<Kind>[]> {
  const rows = await db
    .selectFrom('donations')
    .where('organization', '=', organization)
    .where('createdAt', '>=', from)
    .where('createdAt', '<', to)
    .where('status', 'in', ['succeeded', 'processing'])
    .select([
      'status',
      ...selectSums(
        db,
        sql`CAST(${selectPayloadField(db, 'donations', ['gift', 'total'])} AS bigint)`,
      ),
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

/** Subtracts refunds that failed in the period after they had succeeded. */
async function countEvents(
  db: Kysely<Tables>,
  organization: string,
  isTest: boolean,
  { from, to }: Period,
): Promise<Part<Kind>[]> {
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
    .where((build) =>
      build.or([
        build('outbox.kind', '!=', 'refund_failed'),
        build.exists(
          build
            .selectFrom('outbox as refund')
            .select('refund.id')
            .where('refund.id', '=', sql<string>`replace(outbox.id, 'refund_failed ', 'refund ')`),
        ),
      ]),
    )
    .select([
      'outbox.kind',
      ...selectSums(
        db,
        sql`CAST(coalesce(${selectPayloadField(db, 'outbox', ['amount'])}, ${sql.lit('0')}) AS numeric)`,
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

function selectSums(db: Kysely<Tables>, total: Expression<unknown>) {
  return [
    selectPayloadField(db, 'donations', ['gift', 'currency']).as('currency'),
    selectPayloadField<number | string>(db, 'donations', ['decimals']).as('decimals'),
    selectPayloadField(db, 'donations', ['gift', 'frequency']).as('frequency'),
    selectPayloadField<number | string>(db, 'donations', ['isTest']).as('isTest'),
    sql<number | bigint | string>`count(*)`.as('count'),
    sql<number | string>`sum(${total})`.as('total'),
  ] as const;
}

/** SQLite returns a JSON Boolean as a number, PostgreSQL as text. */
function isTestDonation(value: number | string): boolean {
  return value === 1 || value === 'true';
}

function toPart(
  row: Readonly<Record<'decimals' | 'count' | 'total', number | bigint | string>> &
    Pick<CurrencyIncome, 'currency'>,
  kind: Kind,
  sign = 1,
): Part<Kind> {
  return {
    kind,
    currency: row.currency,
    decimals: Number(row.decimals),
    count: sign * Number(row.count),
    total: sign * Number(row.total),
  };
}

/** Sums the parts of each kind, by currency. */
export function sumByCurrency<Kind extends string>(
  parts: readonly Part<Kind>[],
  kinds: readonly Kind[],
) {
  return [...Map.groupBy(parts, ({ currency }) => currency)].map(([currency, ofCurrency]) => {
    const sums = kinds.map((kind) => {
      const ofKind = ofCurrency.filter((part) => part.kind === kind);
      const count = ofKind.reduce((sum, part) => sum + part.count, 0);
      return [kind, { count, total: sumAmounts(ofKind.map(({ total }) => total)) }] as const;
    });
    return {
      currency,
      decimals: ofCurrency[0]!.decimals,
      ...(Object.fromEntries(sums) as Record<Kind, CountAndTotal>),
    };
  });
}

export function countReceived({ once, recurring }: CurrencyIncome): number {
  return once.count + recurring.count;
}

/** In minor units. */
export function sumReceived({ once, recurring }: CurrencyIncome): number {
  return once.total + recurring.total;
}
