import { testGateway } from './contract.ts';
import { startPayPalProvider } from './paypal-provider.ts';

testGateway('paypal', startPayPalProvider);
testGateway('paypal that lists reversals as refunds', () =>
  startPayPalProvider({ listsReversals: true }),
);
