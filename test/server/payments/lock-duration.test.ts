import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Donation } from '../../../src/server/database/schema.ts';
import type { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { PaymentService } from '../../../src/server/donations/payment-service.ts';
import { createLogger } from '../../../src/server/lib/logger.ts';
import type { PaymentGateway } from '../../../src/server/payments/payment-gateway.ts';

const DONATION = {
  reference: 'A',
  status: 'unconfirmed',
  lockedUntil: 0,
  payload: { payment: { provider: 'raise' } },
} as unknown as Donation;

/** Returns the lock duration with which a service claims a donation, in milliseconds. */
async function findLockDuration(
  gateway: Partial<PaymentGateway>,
  row: Partial<Donation>,
): Promise<number | undefined> {
  const durations: (number | undefined)[] = [];
  const repository = {
    isShared: true,
    claimForPaymentCheck: async (_row: Donation, duration?: number) => {
      durations.push(duration);
      return undefined;
    },
  };
  const service = new PaymentService({
    organization: 'lanternwell',
    repository: repository as unknown as DonationRepository,
    findGateway: () => gateway as PaymentGateway,
    wakeDelivery: () => undefined,
    log: createLogger('silent'),
    now: Date.now,
  });
  await service.resumeCharge({ ...DONATION, ...row }, { token: undefined, returnUrl: undefined });
  assert.equal(durations.length, 1);
  return durations[0];
}

test('locks a donation for a shorter time if its charge can only be looked up', async () => {
  const oneCall = { chargesInOneCall: true } as const;
  assert.equal(await findLockDuration(oneCall, { paymentId: 'A' }), 20_000);
  assert.equal(await findLockDuration(oneCall, { paymentId: null }), undefined);
  assert.equal(await findLockDuration({}, { paymentId: 'A' }), undefined);
});
