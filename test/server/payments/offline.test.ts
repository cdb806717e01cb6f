import { createOfflineGateway } from '../../../src/server/payments/offline-payment.ts';
import { testGateway } from './contract.ts';

const REASON = 'the donor pays without a provider, and a person records the payment';

testGateway(
  'offline',
  {
    charges: REASON,
    tokens: REASON,
    'hosted page': REASON,
    authentication: REASON,
    'bank debits': REASON,
    webhooks: REASON,
    renewals: REASON,
    refunds: REASON,
    disputes: REASON,
    lists: REASON,
  },
  () =>
    Promise.resolve({
      gateway: createOfflineGateway(),
      returnUrl: 'https://lanternwell.example/give',
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
);
