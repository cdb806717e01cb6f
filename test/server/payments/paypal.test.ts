import { testGateway } from './contract.ts';
import { startPayPalProvider } from './paypal-provider.ts';

testGateway('paypal', startPayPalProvider);
