import assert from 'node:assert/strict';
import { NotChargedError } from '../../../src/server/payments/payment-gateway.ts';
import { testEvents } from './contract-events.ts';
import { testLists } from './contract-lists.ts';
import { testPayments } from './contract-payments.ts';
import { testSteps } from './contract-steps.ts';
import {
  type AddTest,
  type Capability,
  CONTROLS,
  createAddTest,
  hasControls,
  type MissingCapabilities,
  type TestProvider,
} from './test-provider.ts';

/**
 * Tests the contract of every payment provider: docs/reference/payment-providers.md.
 * @param missing the capabilities that the provider lacks.
 */
export function testGateway(
  name: string,
  missing: MissingCapabilities,
  open: () => Promise<TestProvider>,
): void {
  const add = createAddTest(name, missing, open);

  add('has every capability that is not declared missing', [], async (provider) => {
    const capabilities = Object.keys(CONTROLS) as Capability[];
    assert.deepEqual(
      capabilities.filter((capability) => hasControls(provider, capability)),
      capabilities.filter((capability) => missing[capability] === undefined),
    );
  });

  add('passes its check', [], async ({ gateway }) => {
    const [first] =
      (await gateway.runChecks?.({
        webhookPath: '/webhooks/this/lanternwell',
        origins: ['https://lanternwell.example'],
        minimums: [{ form: 'wells', currency: 'USD', minimum: 100 }],
      })) ?? [];
    assert.equal(first?.status ?? 'pass', 'pass', first?.message);
  });

  if (missing.charges === undefined) testPayments(add);
  else testPledges(add);
  testSteps(add);
  testEvents(add);
  testLists(add);
}

/** Tests a provider without online payments: donors pledge, and staff record each payment. */
function testPledges(add: AddTest): void {
  add(
    'rejects all calls with the certainty that nothing was charged',
    [],
    async ({ gateway }, createRequest) => {
      const request = createRequest();
      const payment = { paymentId: request.reference };
      for (const call of [
        () => gateway.createPayment(request),
        () => gateway.chargePayment(payment, request),
        () => gateway.retrievePayment(payment),
        () => gateway.cancelPayment(payment),
      ])
        await assert.rejects(call, NotChargedError);
    },
  );
}
