/** Checks that Stripe, the server's database, and the platform agree on all monthly donations. */
import { createExactFigure, createZeroFigure, type Figure } from './figure.ts';
import { type DonorSums, sum, type SumsByDonor } from './monthly-sums.ts';

/** The sums of each system. */
export interface MonthlySums {
  readonly stripe: SumsByDonor;
  readonly database: SumsByDonor;
  readonly platform: SumsByDonor;
}

const NO_PAYMENTS: DonorSums = {
  payments: 0,
  paid: 0,
  refunded: 0,
  disputed: 0,
  duplicates: 0,
  status: undefined,
};
const AMOUNTS = ['paid', 'refunded', 'disputed'] as const;

/** Compares the database and the platform with Stripe, by donor and in total. */
export function auditMonthlyDonations({ stripe, ...copies }: MonthlySums): Figure[] {
  return [
    createZeroFigure('payments charged twice for one month', sumField(stripe, 'duplicates')),
    ...Object.entries(copies).flatMap(([name, copy]) => [
      createZeroFigure(`${name}: missing payments`, countExcessPayments(stripe, copy)),
      createZeroFigure(
        `${name}: payments recorded twice or without a charge`,
        sumField(copy, 'duplicates') + countExcessPayments(copy, stripe),
      ),
      createZeroFigure(
        `${name}: donors whose sums differ from Stripe's`,
        countDonors(stripe, copy, (one, other) =>
          AMOUNTS.some((amount) => one[amount] !== other[amount]),
        ),
      ),
      ...AMOUNTS.map((amount) =>
        createExactFigure(
          `${name}: cents ${amount}, compared with Stripe`,
          sumField(copy, amount),
          sumField(stripe, amount),
        ),
      ),
      createZeroFigure(
        `${name}: recurring donations whose status differs from Stripe's`,
        countDonors(stripe, copy, (one, other) => one.status !== other.status),
      ),
    ]),
  ];
}

export function sumField(sums: SumsByDonor, name: Exclude<keyof DonorSums, 'status'>): number {
  return sum([...sums.values()].map((donor) => donor[name]));
}

/** Counts the payments that the first system has and the second does not. */
function countExcessPayments(first: SumsByDonor, second: SumsByDonor): number {
  const countDistinct = ({ payments, duplicates }: DonorSums): number => payments - duplicates;
  return sum(
    [...first].map(([donor, sums]) =>
      Math.max(0, countDistinct(sums) - countDistinct(second.get(donor) ?? NO_PAYMENTS)),
    ),
  );
}

function countDonors(
  first: SumsByDonor,
  second: SumsByDonor,
  differ: (first: DonorSums, second: DonorSums) => boolean,
): number {
  return [...new Set([...first.keys(), ...second.keys()])].filter((donor) =>
    differ(first.get(donor) ?? NO_PAYMENTS, second.get(donor) ?? NO_PAYMENTS),
  ).length;
}
