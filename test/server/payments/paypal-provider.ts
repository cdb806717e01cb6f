import assert from 'node:assert/strict';
import { PaymentMethodType } from '../../../src/core/donation/payment-method.ts';
import { createPayPalGateway } from '../../../src/server/payments/paypal/paypal-gateway.ts';
import { getOrderId } from '../../../src/server/payments/paypal/orders.ts';
import type { Payment } from '../../../src/server/payments/payment-gateway.ts';
import { createCheckedFetch } from '../../contract/paypal/checked-fetch.ts';
import { CREDENTIALS, startPayPal, type PayPalFixture } from '../../sandbox/paypal/support.ts';
import type { TestPaymentMethod, TestProvider } from './contract.ts';

const FUNDINGS = {
  good: 'balance',
  declined: 'declined',
  'insufficient funds': 'declined',
  expired: 'declined',
  'bank debit': 'echeck',
  'failing bank debit': 'echeck',
} as const satisfies Partial<Record<TestPaymentMethod, string>>;

export interface PayPalProvider extends TestProvider {
  readonly fixture: PayPalFixture;
}

/** Starts the emulation of PayPal, and checks the gateway's calls against PayPal's OpenAPI files. */
export async function startPayPalProvider(): Promise<PayPalProvider> {
  const fixture = await startPayPal();
  const { paypal, url } = fixture;
  const checked = createCheckedFetch({ baseUrl: url });
  const debits = new Map<string, TestPaymentMethod>();
  return {
    fixture,
    methodType: PaymentMethodType.Wallet,
    returnUrl: 'https://lanternwell.example/give',
    gateway: createPayPalGateway({
      ...CREDENTIALS,
      environment: 'sandbox',
      apiUrl: url,
      fetch: checked.fetch,
    }),
    approve(payment: Payment, method: TestPaymentMethod) {
      const orderId = getOrderId(payment.paymentId)!;
      paypal.approveOrder(orderId, { funding: FUNDINGS[method as keyof typeof FUNDINGS] });
      debits.set(orderId, method);
      return Promise.resolve();
    },
    listCharges: (reference) =>
      Promise.resolve(
        paypal
          .listCaptures(reference)
          .filter(({ status }) => !['PENDING', 'DECLINED'].includes(status))
          .map(({ amount }) => amount.units),
      ),
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      assert.deepEqual(checked.problems, []);
    },
  };
}
