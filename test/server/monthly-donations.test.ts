import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeMisses } from '../load/figure.ts';
import { auditMonthlyDonations, sumField } from '../load/monthly-audit.ts';
import { toFigures } from '../load/monthly-donations.ts';
import { simulateMonths } from '../load/monthly-simulation.ts';

const format = (number: number): string => number.toLocaleString('en');

test(
  'loses, repeats, and miscounts no payment of 20 monthly donors in four months of failures, and the comparison finds one that is lost or recorded twice',
  { timeout: 120_000 },
  async (context) => {
    const seed = 1;
    context.diagnostic(`seed ${seed}`);
    const result = await simulateMonths({ donors: 20, months: 4, seed });
    assert.deepEqual(describeMisses(toFigures(result)), []);

    const { stripe } = result.sums;
    const [donor, sums] = stripe.entries().next().value!;
    const total = sumField(stripe, 'paid');
    const lost = { ...sums, payments: sums.payments - 1, paid: sums.paid - 1 };
    const repeated = { ...sums, payments: sums.payments + 1, duplicates: 1 };
    assert.deepEqual(
      describeMisses(
        auditMonthlyDonations({
          stripe,
          database: new Map([...stripe, [donor, lost]]),
          platform: new Map([...stripe, [donor, repeated]]),
        }),
      ),
      [
        'database: missing payments: 1, expected 0',
        "database: donors whose sums differ from Stripe's: 1, expected 0",
        `database: cents paid, compared with Stripe: ${format(total - 1)}, expected ${format(total)}`,
        'platform: payments recorded twice or without a charge: 1, expected 0',
      ],
    );
  },
);
