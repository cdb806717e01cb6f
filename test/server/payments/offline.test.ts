import { createOfflineGateway } from '../../../src/server/payments/offline-payment.ts';
import { testGateway } from './contract.ts';
import { CONTROLS } from './test-provider.ts';

const REASON = 'the donor pays without a provider, and a person records the payment';

testGateway(
  'offline',
  Object.fromEntries(Object.keys(CONTROLS).map((capability) => [capability, REASON])),
  async () => ({
    gateway: createOfflineGateway(),
    returnUrl: 'https://lanternwell.example/give',
    [Symbol.asyncDispose]: async () => undefined,
  }),
);
