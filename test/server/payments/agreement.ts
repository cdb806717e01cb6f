import assert from 'node:assert/strict';
import fc from 'fast-check';
import { calculateFeeCover } from '../../../src/core/money/fee-cover.ts';
import { toMajorUnits } from '../../../src/core/money/money.ts';
import { startServerWithStripe, formWithPayments } from './support.ts';

const CONCURRENCY = 25;
const [usd] = formWithPayments.currencies;
const currencies = [
  { ...usd, feeCover: { basisPoints: 290, fixed: 30 } },
  {
    ...usd,
    code: 'JPY',
    decimals: 0,
    minimum: 100,
    maximum: 3_000_000,
    feeCover: { basisPoints: 360, fixed: 0 },
  },
  {
    ...usd,
    code: 'KWD',
    decimals: 2,
    minimum: 100,
    maximum: 1_000_000,
    feeCover: { basisPoints: 290, fixed: 10 },
  },
  {
    ...usd,
    code: 'ISK',
    decimals: 0,
    minimum: 500,
    maximum: 3_000_000,
    feeCover: { basisPoints: 290, fixed: 30 },
  },
] as const;

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
  for (let start = 0; start < count; start += CONCURRENCY) {
    await Promise.all(
      gifts
        .slice(start, start + CONCURRENCY)
        .map(async ({ currency, amount, coverCosts, frequency }) => {
          const coveredFees = coverCosts ? calculateFeeCover(amount, currency.feeCover) : 0;
          const total = amount + coveredFees;
          const result = JSON.stringify({ currency: currency.code, amount, coverCosts, frequency });
          const outcome = await server.donate(undefined, {
            currency: currency.code,
            amount,
            coverCosts,
            coveredFees,
            total,
            frequency,
            projects: [{ id: '2', amount }],
          });
          assert.deepEqual(
            [outcome.status, outcome.gift.total, outcome.response?.amount],
            ['succeeded', total, Number(toMajorUnits(total, currency.decimals))],
            result,
          );
          const atStripe = { USD: total, JPY: total, KWD: total * 10, ISK: total * 100 }[
            currency.code as 'USD'
          ];
          assert.deepEqual(
            server.fakeStripe
              .listCharges(outcome.reference)
              .map((charge) => [charge.amount, charge.currency]),
            [[atStripe, currency.code.toLowerCase()]],
            result,
          );
          assert.equal(
            (await server.repository.findByReference(outcome.reference))!.payload.gift.total,
            total,
            result,
          );
          const sent = server.sentGifts
            .filter((body) => body.includes(outcome.reference))
            .map((body) => JSON.parse(body) as { reference: string; total: string })
            .filter(({ reference }) => reference === outcome.reference);
          if (outcome.response?.giftId)
            assert.deepEqual(
              sent.map((gift) => gift.total),
              [toMajorUnits(total, currency.decimals)],
              result,
            );
        }),
    );
  }
}
