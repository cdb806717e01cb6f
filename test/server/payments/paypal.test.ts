import { testGateway } from './contract.ts';
import { MISSING_CAPABILITIES, startPayPalProvider } from './paypal-provider.ts';

testGateway('paypal', MISSING_CAPABILITIES, startPayPalProvider);
testGateway('paypal that lists reversals as refunds', MISSING_CAPABILITIES, () =>
  startPayPalProvider({ listsReversals: true }),
);
