import assert from 'node:assert/strict';
import fc from 'fast-check';
import { calculateFeeCover } from '../../../src/core/money/fee-cover.ts';
import { toMajorUnits } from '../../../src/core/money/money.ts';
import { formWithPayments, startServerWithStripe } from './support.ts';

const CONCURRENCY = 25;
const [usd] = formWithPayments.currencies;
const currencies = [
  { ...usd, feeCover: { basisPoints: 290, fixed: 30 } },
  { ...usd, code: 'JPY', decimals: 0, feeCover: { basisPoints: 360, fixed: 0 } },
  { ...usd, code: 'KWD', feeCover: { basisPoints: 290, fixed: 10 } },
  { ...usd, code: 'ISK', decimals: 0, feeCover: { basisPoints: 290, fixed: 30 } },
] as const;
/** Stripe's units in one of ours. */
const UNITS_AT_STRIPE: Readonly<Record<string, number>> = { USD: 1, JPY: 1, KWD: 10, ISK: 100 };

/**
 * Makes random donations in four currencies, with and without fees, once and monthly, and compares
 * the posted, stored, charged, returned, and recorded amounts.
 */
export async function assertAmountsAgree(count: number): Promise<void> {
  await using server = await startServerWithStripe({
    form: { ...formWithPayments, currencies: [...currencies] },
  });
  const gifts = fc.sample(
    fc.record({
      currency: fc.constantFrom(...currencies),
      amount: fc.integer({ min: 500, max: 900_000 }),
      coverCosts: fc.boolean(),
      frequency: fc.constantFrom('once', 'once', 'once', 'monthly'),
    }),
    count,
  );
  const assertAmountAgrees = async ({ currency, ...rest }: (typeof gifts)[number]) => {
    const { amount, coverCosts } = rest;
    const coveredFees = coverCosts ? calculateFeeCover(amount, currency.feeCover) : 0;
    const total = amount + coveredFees;
    const projects = [{ id: '2', amount }];
    const gift = { ...rest, currency: currency.code, coveredFees, total, projects };
    const outcome = await server.donate(undefined, gift);
    const charges = server.fakeStripe.listCharges(outcome.reference);
    const stored = await server.repository.findByReference(outcome.reference);
    const sent = server.sentGifts
      .map((body) => JSON.parse(body) as { reference: string; total: string })
      .filter(({ reference }) => reference === outcome.reference);
    const totalText = toMajorUnits(total, currency.decimals);
    assert.deepEqual(
      {
        status: outcome.status,
        totals: [outcome.gift.total, stored!.payload.gift.total],
        amount: outcome.response?.amount,
        charged: charges.map((charge) => [charge.amount, charge.currency]),
        recorded: sent.map((recorded) => recorded.total),
      },
      {
        status: 'succeeded',
        totals: [total, total],
        amount: Number(totalText),
        charged: [[total * UNITS_AT_STRIPE[currency.code]!, currency.code.toLowerCase()]],
        recorded: outcome.response?.giftId ? [totalText] : [],
      },
      JSON.stringify(gift),
    );
  };
  for (let start = 0; start < count; start += CONCURRENCY)
    await Promise.all(gifts.slice(start, start + CONCURRENCY).map(assertAmountAgrees));
}
