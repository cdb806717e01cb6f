import { testGateway } from './contract.ts';
import { openSandboxTill } from './sandbox-provider.ts';

testGateway('sandbox', openSandboxTill);
