import { testGateway } from './contract.ts';
import { startSandboxProvider } from './sandbox-provider.ts';

testGateway('sandbox', startSandboxProvider);
